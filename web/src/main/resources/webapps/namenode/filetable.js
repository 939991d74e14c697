// The entries of a directory, part by part where there are many.
import {menuButton} from './menu.js';
import {entryActions} from './fileactions.js';
import {element} from './dom.js';
import {bytes, number, rights, time} from './format.js';
import {before, join, link} from './paths.js';
import {dataTable} from './table.js';
import {list} from './webhdfs.js';

/** Directories up to this size are read as a whole, so that they sort and filter as a whole. */
const MOST_AT_ONCE = 5000;

const isFile = entry => entry.type === 'FILE';

const COLUMNS = (path, mayAct) => [
  {name: 'Name', kind: 'name', value: entry => entry.pathSuffix, cell: entry => name(path, entry)},
  {name: 'Size', kind: 'number', value: entry => isFile(entry) ? entry.length : -1,
    cell: entry => isFile(entry) ? bytes(entry.length) : ''},
  {name: 'Modified', value: entry => time(entry.modificationTime)},
  {name: 'Permission', value: entry => rights(entry.type, entry.permission, entry.aclBit),
    cell: entry => element('span', {class: 'mono'}, rights(entry.type, entry.permission, entry.aclBit))},
  {name: 'Owner', value: entry => entry.owner},
  {name: 'Group', value: entry => entry.group},
  {name: 'Replication', kind: 'number', value: entry => isFile(entry) ? entry.replication : 0,
    cell: entry => isFile(entry) ? number(entry.replication) : ''},
  {name: 'Actions', kind: 'tools', isUnseen: true, cell: entry =>
    menuButton(`Actions: ${entry.pathSuffix}`, '', entryActions(join(path, entry.pathSuffix), entry, mayAct))},
];

function name(path, entry) {
  return element('a', {class: 'spelled', href: link(join(path, entry.pathSuffix))},
    entry.pathSuffix + (isFile(entry) ? '' : '/'));
}

/** What of a large directory is shown: names behind a text, and the texts of the parts before. */
const places = new Map();

/** @param changed is called when another part is to be shown */
export async function entries(path, mayAct, changed) {
  const place = places.get(path) || {after: '', earlier: [], prefix: ''};
  places.clear();
  places.set(path, place);
  const first = await list(path, place.after);
  const found = first.entries;
  let {remaining} = first;
  while (remaining > 0 && found.length + remaining <= MOST_AT_ONCE) {
    const next = await list(path, found[found.length - 1].pathSuffix);
    found.push(...next.entries);
    remaining = next.entries.length > 0 ? next.remaining : 0;
  }
  const isPart = remaining > 0 || place.after !== '';
  const rows = place.prefix === '' ? found : found.filter(entry => entry.pathSuffix.startsWith(place.prefix));
  const table = dataTable(`files:${path}:${place.after}`, 'Entries', COLUMNS(path, mayAct), rows,
    {empty: place.prefix === '' ? 'This directory is empty.' : 'No name begins so.'});
  return isPart ? [parts(place, found, remaining, changed), table] : [table];
}

/** Moves through a directory that is too large to be read as a whole. */
function parts(place, found, remaining, changed) {
  const go = (text, after, earlier) => {
    const button = element('button', {type: 'button', id: `part-${text.toLowerCase()}`}, text);
    button.addEventListener('click', () => {
      Object.assign(place, {after, earlier});
      changed();
    });
    return button;
  };
  const last = found.length > 0 ? found[found.length - 1].pathSuffix : '';
  const back = go('Back', place.earlier[place.earlier.length - 1] || '', place.earlier.slice(0, -1));
  const on = go('On', last, [...place.earlier, place.after]);
  back.disabled = place.earlier.length === 0;
  on.disabled = remaining === 0 || !last.startsWith(place.prefix);
  const prefix = element('input', {type: 'search', id: 'part-prefix', 'aria-label': 'Names that begin with', placeholder: 'Names that begin with'});
  prefix.value = place.prefix;
  const form = element('form', {role: 'search'}, prefix, ' ', element('button', {}, 'Find'));
  form.addEventListener('submit', event => {
    event.preventDefault();
    Object.assign(place, {prefix: prefix.value, after: prefix.value === '' ? '' : before(prefix.value), earlier: []});
    changed();
  });
  return element('div', {class: 'bar-above'}, form,
    element('span', {class: 'hint'}, `A large directory: ${number(found.length)} names are here, ${remaining > 0 ? 'and more come' : 'and none comes'} after them. `
      + 'The table sorts and filters those that are here.'), back, on);
}
