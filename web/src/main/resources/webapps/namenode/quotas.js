// Directories with quotas, the fullest first.
import {ask} from './ask.js';
import {bytes, number, percent} from './format.js';
import {element, table} from './dom.js';
import {filterBox, go, parts} from './filter.js';
import {link} from './paths.js';

const SHOWN = 100;
const NEARLY_FULL = 0.9;
const box = filterBox('quotas', text => go('quotas', '0', text));

function used(count, limit, shown) {
  return limit < 0 ? `${shown(count)}, no limit` : `${shown(count)} of ${shown(limit)}`;
}

function full(directory) {
  const kind = directory.fullness >= 1 ? 'bad' : directory.fullness >= NEARLY_FULL ? 'warn' : '';
  return element('span', {class: kind}, percent(directory.fullness, 1));
}

export const everyMs = 30000;

/** The route is the number of the first one, and the filter. */
export async function show() {
  const [from, filter = ''] = parts();
  const first = Number(from) || 0;
  const now = await ask('quotas', {from: first, filter, limit: SHOWN});
  return [
    element('h2', {}, `Quotas (${number(now.all)})`),
    ...(now.whole ? [] : [element('p', {class: 'warn'}, 'There are more, or not all are read yet.')]),
    box.place(filter),
    table('Directories with quotas', [['Directory', 'name'], ['Full', 'number'], ['Names', 'number'],
      ['Space with replicas', 'number'], ['By type of storage', 'name']],
    now.shown.map(each => [
      element('a', {href: link(each.path)}, each.path),
      full(each), used(each.names, each.namesLimit, number), used(each.bytes, each.bytesLimit, bytes),
      each.types.map(type => `${type.type}: ${used(type.bytes, type.bytesLimit, bytes)}`).join(', ')])),
    element('p', {},
      ...(first > 0 ? [page(first - SHOWN, filter, 'Page before', 'prev'), ' '] : []),
      ...(first + now.shown.length < now.found ? [page(first + SHOWN, filter, 'Next page', 'next')] : [])),
  ];
}

function page(first, filter, text, rel) {
  return element('a', {href: `#/quotas/${Math.max(0, first)}/${encodeURIComponent(filter)}`, rel}, text);
}
