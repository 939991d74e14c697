// Shows a section of docs/troubleshooting.md, which the jar has.
import {element} from './dom.js';
import {inline} from './markdown.js';

const PAGE = 'docs/troubleshooting.md';
const SECTION = /^### ([a-z-]+)$/;

/** The lines of each section, by its name. */
function sections(text) {
  const all = new Map();
  let lines = null;
  for (const line of text.split('\n')) {
    const begin = line.match(SECTION);
    if (begin) {
      lines = [];
      all.set(begin[1], lines);
    } else if (line.startsWith('#')) {
      lines = null;
    } else if (lines && line.trim() !== '') {
      lines.push(line);
    }
  }
  return all;
}

const title = name => name[0].toUpperCase() + name.slice(1).replaceAll('-', ' ');

async function show() {
  const wanted = location.hash.slice(1);
  const response = await fetch(PAGE, {cache: 'no-store'});
  const all = sections(response.ok ? await response.text() : '');
  const shown = all.has(wanted) ? [wanted] : [...all.keys()];
  document.getElementById('main').replaceChildren(
    ...shown.flatMap(name => [element('h2', {id: name}, title(name)),
      ...all.get(name).map(line => element('p', {}, ...inline(line)))]),
    element('p', {}, `From ${PAGE}, which has more.`));
}

window.addEventListener('hashchange', show);
show();
