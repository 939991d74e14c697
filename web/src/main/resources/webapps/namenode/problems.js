// What is wrong now.
import {duration, time} from './format.js';
import {element, table} from './dom.js';

const KINDS = {error: ['Error', 'bad'], warning: ['Warning', 'warn'], note: ['Note', '']};

function list(now) {
  if (now.problems.length === 0) {
    return element('p', {class: 'good', id: 'no-problems'}, 'Nothing is wrong.');
  }
  return table('Problems', [['Severity'], ['Problem', 'name'], ['Since', 'number']],
    now.problems.map(each => {
      const [severity, kind] = KINDS[each.severity];
      return [element('span', {class: kind}, severity), what(each), since(now, each)];
    }));
}

/** One below the other, which a narrow window has room for. */
function what(each) {
  return element('div', {}, element('strong', {}, each.title), element('div', {}, each.cause),
    element('a', {href: `help.html#${each.kind}`}, 'What to do'));
}

function since(now, each) {
  return element('time', {datetime: new Date(each.sinceMs).toISOString(), title: `${time(each.sinceMs)} UTC`},
    duration(now.nowMs - each.sinceMs));
}

/** For the overview, which has asked for them. */
export function problems(now) {
  const worst = now.problems.filter(each => each.severity !== 'note').length;
  return [
    element('h2', {}, worst === 0 ? 'Problems' : `Problems (${worst})`),
    list(now),
  ];
}
