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

export async function show() {
  const [minutes, filter = ''] = parts();
  minutesNow = minutes;
  const now = await ask('users', {minutes, filter, limit: SHOWN});
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
    ...(now.found > now.shown.length
      ? [element('p', {}, `${number(now.found - now.shown.length)} more cost less. The filter finds them.`)] : []),
  ];
}
