// A table that sorts, filters and turns pages, by mouse and by keyboard. How it is set stays while its page is read anew.
import {element} from './dom.js';
import {number} from './format.js';
import {rowKeys} from './rowkeys.js';

const PAGE_ROWS = 100;
const DEBOUNCE_MS = 150;

/** How each table is set, by its name. */
const settings = new Map();

function settingsOf(name, first) {
  if (!settings.has(name)) {
    settings.set(name, {sort: '', down: false, filter: '', page: 0, ...first});
  }
  return settings.get(name);
}

/**
 * A table of rows that are all there.
 *
 * @param name of its settings
 * @param columns each {name, kind, value, cell}: kind is 'number', 'name' or nothing; value gives what a row is sorted and
 *     filtered by, cell the text or element that is shown, the value where there is none; isFixed: does not sort
 * @param rows anything
 * @param options {pageRows, filter: false, empty: text, first: settings, before: elements beside the filter}
 */
export function dataTable(name, caption, columns, rows, options = {}) {
  return pagedTable(name, caption, columns, set => pick(columns, rows, set, options.pageRows || PAGE_ROWS), options);
}

function pick(columns, rows, set, pageRows) {
  const wanted = set.filter.toLowerCase();
  const found = wanted === '' ? rows.slice() : rows.filter(row =>
    columns.some(column => column.value && String(column.value(row)).toLowerCase().includes(wanted)));
  const column = columns.find(each => each.name === set.sort);
  if (column) {
    const sign = set.down ? -1 : 1;
    found.sort((one, other) => sign * compare(column.value(one), column.value(other)));
  }
  const page = Math.min(set.page, Math.max(0, Math.ceil(found.length / pageRows) - 1));
  return {rows: found.slice(page * pageRows, (page + 1) * pageRows), found: found.length, all: rows.length, page};
}

function compare(one, other) {
  return typeof one === 'number' && typeof other === 'number' ? one - other
    : String(one) < String(other) ? -1 : String(one) > String(other) ? 1 : 0;
}

/**
 * A table whose rows come page by page.
 *
 * @param read of the settings: {rows, found, all, page}, or a promise of it
 * @return an element, or a promise of it where read gives one
 */
export function pagedTable(name, caption, columns, read, options = {}) {
  const set = settingsOf(name, options.first);
  const pageRows = options.pageRows || PAGE_ROWS;
  const body = element('tbody');
  let asked = 0;
  const heads = columns.map(column => head(column, set, change));
  const count = element('span', {class: 'count', role: 'status'});
  const back = turner('Previous page', '\u2039', -1);
  const on = turner('Next page', '\u203a', 1);
  const area = element('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption},
    element('table', {}, element('thead', {}, element('tr', {}, ...heads.map(each => each.cell))), body));
  const whole = element('div', {class: 'sorted'},
    element('div', {class: 'bar-above'}, ...(options.filter === false ? [] : [filterBox()]),
      ...(options.before || []), count, back, on), area);
  rowKeys(area, body, turn);

  function turner(label, sign, by) {
    const button = element('button', {type: 'button', id: `${name}-${by}`, 'aria-label': label, title: label}, sign);
    button.addEventListener('click', () => turn(by));
    return button;
  }

  function filterBox() {
    const input = element('input', {type: 'search', id: `${name}-filter`, placeholder: 'Filter', 'aria-label': `Filter: ${caption}`,
      autocomplete: 'off', spellcheck: 'false'});
    input.value = set.filter;
    let later = 0;
    input.addEventListener('input', () => {
      clearTimeout(later);
      later = setTimeout(() => change({filter: input.value.trim(), page: 0}), DEBOUNCE_MS);
    });
    return input;
  }

  function turn(by) {
    if (by < 0 ? !back.disabled : !on.disabled) {
      change({page: Math.max(0, set.page + by)});
    }
  }

  /** Stays as it was, and says why, where what is wanted cannot be had. */
  async function change(to) {
    const was = {...set};
    Object.assign(set, to);
    heads.forEach(each => each.show());
    try {
      await show();
    } catch (e) {
      Object.assign(set, was);
      heads.forEach(each => each.show());
      count.textContent = e.message;
    }
  }

  function fill(now) {
    set.page = now.page;
    body.replaceChildren(...now.rows.map(row => element('tr', {},
      ...columns.map(column => element('td', {class: column.kind || ''}, (column.cell || column.value)(row))))));
    if (now.rows.length === 0) {
      const text = now.all > 0 ? 'Nothing fits the filter.' : options.empty || 'There is nothing.';
      body.append(element('tr', {}, element('td', {colspan: columns.length, class: 'none'}, text)));
    }
    const pages = Math.max(1, Math.ceil(now.found / pageRows));
    const first = now.page * pageRows;
    count.textContent = (now.found > pageRows ? `${number(first + 1)} to ${number(first + now.rows.length)} of ` : '')
      + number(now.found) + (now.found < now.all ? ` of ${number(now.all)}` : '') + (now.all === 1 ? ' row' : ' rows');
    back.disabled = now.page === 0;
    on.disabled = now.page >= pages - 1;
    back.hidden = pages === 1;
    on.hidden = pages === 1;
    return whole;
  }

  /** Of several answers that are under way the last one counts. */
  function show() {
    const mine = ++asked;
    const now = read(set);
    return now instanceof Promise ? now.then(it => mine === asked ? fill(it) : whole) : fill(now);
  }

  return show();
}

/** The head of a column, whose button sorts by it. */
function head(column, set, change) {
  const cell = element('th', {scope: 'col', class: column.kind || ''});
  if (!column.value || column.isFixed) {
    cell.append(column.isUnseen ? element('span', {class: 'unseen'}, column.name) : column.name);
    return {cell, show() {}};
  }
  const button = element('button', {type: 'button'}, column.name);
  const isNumber = column.kind === 'number';
  button.addEventListener('click', () =>
    change({sort: column.name, down: set.sort === column.name ? !set.down : isNumber, page: 0}));
  cell.append(button);
  function show() {
    cell.setAttribute('aria-sort', set.sort !== column.name ? 'none' : set.down ? 'descending' : 'ascending');
  }
  show();
  return {cell, show};
}
