import {blocks, content, encode, fileStatus, list} from './api.js';
import {bytes, number, rights, time} from './format.js';
import {element, table} from './dom.js';

/** Not again by itself: who reads a listing does not want it to move. */
export const everyMs = 0;

const link = path => `#/files${encode(path)}`;

function crumbs(path) {
  const parts = path.split('/').filter(part => part);
  const links = parts.map((part, i) => ['/', element('a', {href: link('/' + parts.slice(0, i + 1).join('/'))}, part)]);
  return element('p', {class: 'path'}, element('a', {href: link('/')}, 'root'), ...links.flat());
}

export async function show(path) {
  const status = await fileStatus(path);
  document.title = `${path} - NameNode`;
  const body = status.type === 'DIRECTORY' ? await directory(path) : await file(path, status);
  return [element('h2', {}, 'Files'), crumbs(path), search(path), ...body];
}

function search(path) {
  const input = element('input', {value: path, 'aria-label': 'Path', size: '40', style: 'max-width:100%;font:inherit'});
  const form = element('form', {}, input, ' ', element('button', {type: 'submit', style: 'margin:0'}, 'Go'));
  form.addEventListener('submit', event => {
    event.preventDefault();
    location.hash = link(input.value.startsWith('/') ? input.value : '/' + input.value);
  });
  return form;
}

async function directory(path) {
  const first = await list(path);
  const shown = table('Entries', [['Name', 'name'], ['Size', 'number'], ['Changed'], ['Rights'], ['Owner'], ['Group'],
    ['Replication', 'number'], ['Block size', 'number']], first.entries.map(entry => row(path, entry)));
  const parts = [shown];
  if (first.entries.length === 0) {
    parts.push(element('p', {}, 'This directory is empty.'));
  }
  if (first.remaining > 0) {
    parts.push(more(path, shown, first));
  }
  return parts;
}

/** The next page goes below the last one. */
function more(path, shown, page) {
  let last = page.entries[page.entries.length - 1].pathSuffix;
  const button = element('button', {type: 'button'}, `${number(page.remaining)} more`);
  button.addEventListener('click', async () => {
    button.disabled = true;
    const next = await list(path, last);
    const columns = [...shown.querySelectorAll('th')].map(head => head.className);
    shown.querySelector('tbody').append(...next.entries.map(entry => element('tr', {},
      ...row(path, entry).map((cell, i) => element('td', {class: columns[i]}, cell)))));
    if (next.remaining > 0 && next.entries.length > 0) {
      last = next.entries[next.entries.length - 1].pathSuffix;
      button.textContent = `${number(next.remaining)} more`;
      button.disabled = false;
    } else {
      button.remove();
    }
  });
  return button;
}

function row(path, entry) {
  const isFile = entry.type === 'FILE';
  const name = element('a', {href: link((path === '/' ? '' : path) + '/' + entry.pathSuffix)}, entry.pathSuffix);
  return [name, isFile ? bytes(entry.length) : '', time(entry.modificationTime),
    rights(entry.type, entry.permission, entry.aclBit), entry.owner, entry.group,
    isFile ? entry.replication : '', isFile ? bytes(entry.blockSize) : ''];
}

async function file(path, status) {
  const located = await blocks(path);
  return [
    table('File', [['Rights'], ['Owner'], ['Group'], ['Size', 'number'], ['Replication', 'number'],
      ['Block size', 'number'], ['Changed']],
    [[rights(status.type, status.permission, status.aclBit), status.owner, status.group, bytes(status.length),
      status.replication, bytes(status.blockSize), time(status.modificationTime)]]),
    element('p', {}, element('a', {href: content(path), download: ''}, 'Download')),
    element('h2', {}, `Blocks (${located.length})`),
    table('Blocks', [['Block'], ['Stamp', 'number'], ['Offset', 'number'], ['Size', 'number'], ['DataNodes', 'name']],
      located.map(block => [`blk_${block.block.blockId}`, block.block.generationStamp, number(block.startOffset),
        bytes(block.block.numBytes),
        block.locations.map(node => `${node.hostName}:${node.xferPort} (${node.networkLocation})`).join(', ')
          || 'nowhere'])),
  ];
}
