// A file: what it is, its text, and where its blocks are.
import {about} from './about.js';
import {blockTable} from './blocks.js';
import {cards, element} from './dom.js';
import {bytes, number, rights, time} from './format.js';
import {receive} from './transfer.js';
import {placeToRead} from './webhdfs.js';

/** How much of a file is shown as text. */
const TEXT_BYTES = 32 * 1024;

export async function file(path, status) {
  const blocks = await blockTable(path, status);
  return [
    cards([
      ['Size', `${bytes(status.length)}${status.length >= 1024 ? ` (${number(status.length)} B)` : ''}`],
      ['Modified', `${time(status.modificationTime)} UTC`],
      ['Accessed', status.accessTime > 0 ? `${time(status.accessTime)} UTC` : 'not known'],
      ['Permission', element('span', {class: 'mono'}, rights(status.type, status.permission, status.aclBit))],
      ['Owner', status.owner],
      ['Group', status.group],
      ['Replication', number(status.replication)],
      ['Block size', bytes(status.blockSize)],
    ]),
    ...text(path, status.length),
    ...blocks,
    about(path, status),
  ];
}

/** Nothing is read before the viewer wants it. */
function text(path, length) {
  if (length === 0) {
    return [];
  }
  const shown = element('div');
  const button = (name, from) => element('button', {type: 'button', onclick: () => read(path, from, length, shown, name)}, name);
  return [
    element('h2', {}, 'Text'),
    element('div', {class: 'bar-above'}, button('Head', 0), button('Tail', Math.max(0, length - TEXT_BYTES)),
      element('span', {class: 'hint'}, `The first or the last ${bytes(TEXT_BYTES)}, as UTF-8.`)),
    shown,
  ];
}

async function read(path, from, length, shown, name) {
  shown.replaceChildren(element('p', {role: 'status'}, 'Reading.'));
  try {
    const read = await receive(await placeToRead(path, from, Math.min(TEXT_BYTES, length - from)));
    shown.replaceChildren(element('pre', {class: 'text', tabindex: '0', role: 'region', 'aria-label': name}, new TextDecoder().decode(read)));
  } catch (e) {
    shown.replaceChildren(element('p', {class: 'bad', role: 'alert'}, e.message));
  }
}
