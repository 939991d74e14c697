// Files that are being written.
import {ask} from './ask.js';
import {bytes, duration, number, time} from './format.js';
import {element, table} from './dom.js';
import {filterBox, go, parts} from './filter.js';
import {link} from './paths.js';

const SHOWN = 100;
const box = filterBox('openfiles', text => go('openfiles', '0', text));

/** The route is the last file of the page before, and the filter. */
export async function show() {
  const [after, filter = ''] = parts();
  const now = await ask('openfiles', {after, filter, limit: SHOWN});
  return [
    element('h2', {}, `Open files (${number(now.all)})`),
    box.place(filter),
    table('Open files', [['Path', 'name'], ['Holder of the lease', 'name'], ['Client'], ['Modified'],
      ['Lease renewed', 'number'], ['Blocks', 'number'], ['Length', 'number'], ['State']],
    now.shown.map(file => [
      element('a', {href: link(file.path)}, file.path),
      file.holder, file.client, `${time(file.sinceMs)} UTC`, `${duration(file.renewedAgoMs)} ago`,
      number(file.blocks), bytes(file.length),
      file.recovering ? element('span', {class: 'warn'}, 'is being closed') : 'written'])),
    element('p', {},
      ...(Number(after) > 0 ? [element('a', {href: `#/openfiles/0/${encodeURIComponent(filter)}`, rel: 'prev'}, 'First page'), ' '] : []),
      ...(now.next > 0 ? [element('a', {href: `#/openfiles/${now.next}/${encodeURIComponent(filter)}`, rel: 'next'},
        now.shown.length < SHOWN ? 'Look further' : 'Next page')] : [])),
  ];
}
