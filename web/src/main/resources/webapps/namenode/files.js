// Files: a directory or a file at a path.
import {Unanswered} from './api.js';
import {menuButton} from './menu.js';
import {entryActions, makeDirectory} from './fileactions.js';
import {nameBox} from './dialog.js';
import {element} from './dom.js';
import {about} from './about.js';
import {file} from './file.js';
import {entries} from './filetable.js';
import {absolute, link} from './paths.js';
import {upload} from './upload.js';
import {fileStatus, mayAct} from './webhdfs.js';

/** Not again by itself: who reads a listing does not want it to move. */
export const everyMs = 0;

const above = path => [element('h2', {}, 'Files'), crumbs(path)];

/** Where to go, also while the NameNode does not answer. */
export const frame = path => [...above(path), bar(path, [])];

export async function show(path) {
  document.title = `${path} - NameNode`;
  try {
    const [status, actions] = await Promise.all([fileStatus(path), mayAct()]);
    const isDirectory = status.type === 'DIRECTORY';
    return [...above(path), bar(path, tools(path, status, isDirectory, actions)),
      ...(isDirectory ? [...await entries(path, actions, () => window.dispatchEvent(new Event('changed'))), about(path, status)]
        : await file(path, status))];
  } catch (e) {
    if (e instanceof Unanswered) {
      throw e;
    }
    return [...frame(path), element('p', {class: 'bad', role: 'alert', id: 'no-path'}, e.message)];
  }
}

function crumbs(path) {
  const parts = path.split('/').filter(part => part);
  const links = parts.map((part, i) => [' / ', element('a', {href: link('/' + parts.slice(0, i + 1).join('/')),
    ...(i === parts.length - 1 ? {'aria-current': 'location'} : {})}, part)]);
  return element('nav', {class: 'path', 'aria-label': 'Directories above'}, element('a', {href: link('/')}, 'root'), ...links.flat());
}

/** Where to go, and what to do here. */
function bar(path, buttons) {
  const input = nameBox({id: 'path', 'aria-label': 'Path', cols: '45'}, path);
  const form = element('form', {class: 'path-box'}, input, element('button', {type: 'submit'}, 'Go'));
  form.addEventListener('submit', event => {
    event.preventDefault();
    location.hash = link(absolute(input.value));
  });
  return element('div', {class: 'bar-above'}, form, ...buttons);
}

function tools(path, status, isDirectory, actions) {
  const button = (text, does) => element('button', {type: 'button', onclick: does}, text);
  return [
    ...(isDirectory && actions ? [button('Upload', () => upload(path)), button('New directory', () => makeDirectory(path))] : []),
    ...(isDirectory ? [] : [button('Download', entryActions(path, status, false)[1][1])]),
    ...(actions ? [menuButton(`Actions: this ${isDirectory ? 'directory' : 'file'}`, `This ${isDirectory ? 'directory' : 'file'} \u22ef`,
      entryActions(path, status, actions).slice(isDirectory ? 1 : 2))] : []),
  ];
}
