// Who costs the NameNode what.
import {ask} from './ask.js';
import {duration, number} from './format.js';
import {element, table} from './dom.js';
import {filterBox, go, parts} from './filter.js';

const SHOWN = 100;
const MOST_OPERATIONS = 6;
let minutesNow = '';
const box = filterBox('users', text => go('users', minutesNow, text));

function operations(user) {
  const all = Object.entries(user.byOperation).sort(([, one], [, other]) => other - one);
  return all.slice(0, MOST_OPERATIONS).map(([name, count]) => `${name} ${number(count)}`).join(', ')
    + (all.length > MOST_OPERATIONS ? ', ...' : '');
}

function page(now, filter, first, text, rel) {
  return element('a', {href: `#/users/${now.minutes}/${encodeURIComponent(filter)}/${first}`, rel}, text);
}

export async function show() {
  const [minutes, filter = '', from = ''] = parts();
  const first = Number(from) || 0;
  minutesNow = minutes;
  const now = await ask('users', {minutes, filter, from: first, limit: SHOWN});
  return [
    element('h2', {}, `Users of the last ${now.minutes === 1 ? 'minute' : `${now.minutes} minutes`} (${number(now.users)})`),
    element('p', {}, 'Minutes: ', ...now.windows.flatMap(each => [
      element('a', {href: `#/users/${each}/${encodeURIComponent(filter)}`,
        ...(each === now.minutes ? {'aria-current': 'true'} : {})}, each), ' '])),
    box.place(filter),
    table('Users whose calls cost most', [['User', 'name'], ['Time of threads', 'number'], ['Calls', 'number'],
      ['Calls by operation', 'name'], ['Served']],
    now.shown.map(user => [user.name, duration(user.costMs), number(user.calls), operations(user),
      user.isolated ? element('span', {class: 'warn'}, 'apart, by separate threads') : 'with all others'])),
    element('p', {},
      ...(first > 0 ? [page(now, filter, Math.max(0, first - SHOWN), 'Page before', 'prev'), ' '] : []),
      ...(first + now.shown.length < now.found ? [page(now, filter, first + SHOWN, 'Next page', 'next')] : [])),
  ];
}
