// Settings: what holds, why, and what could.
import {ask} from './ask.js';
import {number} from './format.js';
import {element, table} from './dom.js';
import {inline} from './markdown.js';
import {filterBox, go, parts} from './filter.js';

const SHOWN = 200;
let allNow = 'some';
const box = filterBox('configuration', text => go('configuration', allNow, '0', text));

/** What a NameNode makes of a setting. */
const TREATMENTS = {
  honoured: ['has effect', ''],
  elsewhere: ['not the NameNode\'s', ''],
  refused: ['protection that is not there', 'bad'],
  warned: ['has no effect', 'warn'],
  unknown: ['not known', ''],
};

/** Defaults of Acacia are said in words, as the docs say them. */
const words = text => element('span', {}, ...inline(text || ''));

export const everyMs = 0;

/** The route is 'all' or 'some', the number of the first one, and the filter. */
export async function show() {
  const [wanted, from = '0', filter = ''] = parts();
  allNow = wanted === 'all' ? 'all' : 'some';
  const first = Number(from) || 0;
  const now = await ask('configuration', {all: allNow === 'all', from: first, filter, limit: SHOWN});
  const link = (all, start, text, rel) => element('a', {href: `#/configuration/${all}/${start}/${encodeURIComponent(filter)}`,
    ...(rel ? {rel} : {})}, text);
  return [
    element('h2', {}, `Configuration (${number(now.found)} of ${number(now.all)} settings)`),
    element('p', {}, allNow === 'all' ? link('some', 0, 'Only those that are set, Acacia\'s, and changeable ones')
      : link('all', 0, 'All settings')),
    box.place(filter),
    table('Settings', [['Setting', 'name'], ['Value', 'name'], ['Source'], ['Default', 'name'], ['Effect'],
      ['While it runs']],
    now.shown.map(row => {
      const [effect, kind] = TREATMENTS[row.treatment];
      return [element('div', {class: 'setting'}, element('strong', {}, row.name), element('div', {}, ...inline(row.text))),
        row.source === 'default' ? words(row.value) : row.value, row.source, words(row.default), element('span', {class: kind}, effect), row.changeable ? 'changeable' : ''];
    })),
    element('p', {},
      ...(first > 0 ? [link(allNow, Math.max(0, first - SHOWN), 'Page before', 'prev'), ' '] : []),
      ...(first + now.shown.length < now.found ? [link(allNow, first + SHOWN, 'Next page', 'next')] : [])),
  ];
}
