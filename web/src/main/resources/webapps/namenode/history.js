// What NameNodes did in the last hour, or day.
import {ask} from './ask.js';
import {chart} from './chart.js';
import {element} from './dom.js';
import {parts} from './filter.js';

const KINDS = [['status', 'lookup'], ['list', 'list'], ['open', 'open'], ['create', 'create'], ['write', 'write'],
  ['rename', 'rename'], ['delete', 'delete'], ['other', 'other'], ['DataNodes', 'datanode']];

const CHARTS = [
  ['Operations', 'a second', KINDS],
  ['Latency of clients\' calls', 'ms', [['half of them', 'p50Ms'], ['99 % of them', 'p99Ms']]],
  ['Calls that wait', 'calls', [['waiting', 'queued']]],
  ['Blocks to repair', 'blocks', [['too few replicas', 'repair'], ['missing', 'missing']]],
  ['Heap in use', 'MiB', [['heap', 'heapMib']]],
  ['Room on the NameNode\'s disk', 'MiB', [['free', 'diskFreeMib']]],
  ['Lag behind the leader', 'entries of the log', [['entries', 'entriesBehind']]],
];

function charts(nameNode, wanted) {
  if (!nameNode.history) {
    return [element('p', {class: 'warn'}, `${nameNode.name} tells no history: ${nameNode.problem}`)];
  }
  const {series, lastMs, stepMs} = nameNode.history;
  return wanted.map(([title, unit, lines]) =>
    chart(title, unit, lines.map(([name, key]) => [name, series[key]]), {lastMs, stepMs}, nameNode.name)).filter(made => made);
}

/** For the overview: the most important of a NameNode's last hour. */
export function lastHour(nameNode) {
  const made = charts(nameNode, CHARTS.slice(0, 2));
  return [
    element('h2', {}, 'Last hour'),
    ...(made.length > 0 ? made : [element('p', {}, 'The first figures come ten seconds after the start.')]),
    element('p', {}, element('a', {href: '#/history'}, 'More history')),
  ];
}

export async function show() {
  const [wanted, name = ''] = parts();
  const window = wanted === 'day' ? 'day' : 'hour';
  const now = await ask('history', {window});
  const shown = now.nameNodes.filter(each => name === '' || each.name === name);
  return [
    element('h2', {}, `History of the last ${window}`),
    element('p', {}, ...['hour', 'day'].flatMap(each => [choice(each, each, name, window === each), ' '])),
    ...(now.nameNodes.length > 1
      ? [element('p', {}, 'NameNode: ', choice('all', window, '', name === ''), ' ',
        ...now.nameNodes.flatMap(each => [choice(each.name, window, each.name, name === each.name), ' ']))]
      : []),
    ...shown.flatMap(each => [element('h3', {}, each.name + (each.isThis ? ' (this one)' : '')),
      element('section', {class: 'charts'}, ...charts(each, CHARTS))]),
    element('p', {}, 'A step is ten seconds of the hour, and five minutes of the day, with the mean of rates and the'
      + ' worst of the rest. It is kept in memory from the start of each NameNode. Times are those of the browser\'s clock.'),
  ];
}

function choice(text, window, name, isChosen) {
  return element('a', {href: `#/history/${window}/${encodeURIComponent(name)}`,
    ...(isChosen ? {'aria-current': 'true'} : {})}, text);
}
