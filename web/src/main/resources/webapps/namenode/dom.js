// Makes elements. Text goes in as text only, so no name of a file or a host can do anything.
import {rowKeys} from './rowkeys.js';

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  fill(made, attributes, children);
  return made;
}

const SVG = 'http://www.w3.org/2000/svg';

export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  fill(made, attributes, children);
  return made;
}

function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'style') {
      made.style.cssText = value; // the attribute is refused by the pages' Content-Security-Policy
    } else if (name === 'onclick') {
      made.addEventListener('click', value);
    } else {
      made.setAttribute(name, value);
    }
  }
  made.append(...children.map(child => child instanceof Node ? child : String(child)));
}

/** Figures side by side: name, value, and a class where it matters. */
export function cards(figures) {
  return element('div', {class: 'cards'}, ...figures.map(([name, value, kind = '']) =>
    element('dl', {class: 'card', style: 'margin:0'},
      element('dt', {}, name), element('dd', {class: kind}, value))));
}

/** Names and values, one below the other, for values that are long. */
export function facts(all) {
  return element('dl', {class: 'facts'}, ...all.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]));
}

/**
 * A table that stays as it is, with the keys of tables; table.js has one that sorts, filters and turns pages.
 *
 * @param columns each a name, and 'number' or 'name' where it is one
 * @param rows each an array of texts or elements
 */
export function table(caption, columns, rows) {
  const kinds = columns.map(([, kind = '']) => kind);
  const body = element('tbody', {}, ...rows.map(row => element('tr', {}, ...row.map((cell, i) => element('td', {class: kinds[i]}, cell)))));
  const area = element('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption},
    element('table', {},
      element('thead', {}, element('tr', {},
        ...columns.map(([name, kind = '']) => element('th', {scope: 'col', class: kind}, name)))),
      body));
  rowKeys(area, body, by => turn(area, by));
  return area;
}

/** Another page of the table is another address; the frame gives the focus to the content then, and the table takes it. */
function turn(area, by) {
  const link = document.querySelector(`main a[rel="${by > 0 ? 'next' : 'prev'}"]`);
  if (link && link.closest('main').contains(area)) {
    const caption = area.getAttribute('aria-label');
    document.getElementById('main').addEventListener('focus', () => {
      [...document.querySelectorAll('main .scroll')].find(each => each.getAttribute('aria-label') === caption)?.focus();
    }, {once: true});
    link.click();
  }
}
