// What there is, how full it is, what is wrong, and how it was.
import {json} from './api.js';
import {bytes, duration, number, percent, time} from './format.js';
import {cards, element, facts} from './dom.js';
import {cluster as servers} from './cluster.js';
import {lastHour} from './history.js';
import {members, sharing} from './members.js';
import {problems} from './problems.js';

export async function show() {
  const now = await json('api/overview');
  const well = now.health;
  return [
    element('h2', {}, 'Overview'),
    ...(now.rollingUpgrade ? [rollingUpgrade(now.rollingUpgrade)] : []),
    ...section(problems(now.problems)),
    columns([state(now, well), capacity(now.capacity, now.datanodes.live), members(well), sharing(now.nameNodes), namespace(now), cluster(now)]),
    ...section(servers(now.cluster, [element('p', {}, element('a', {href: '#/store'}, 'All region servers'))])),
    element('section', {class: 'charts'}, ...lastHour(now.lastHour)),
  ];
}

const section = content => content.length > 0 ? [element('section', {}, ...content)] : [];

const columns = parts => element('div', {class: 'columns'}, ...parts.flatMap(section));

/** With the words of HDFS's page. */
function rollingUpgrade(upgrade) {
  return element('p', {id: 'rolling-upgrade', class: 'warn'}, `Rolling upgrade started at ${time(upgrade.startedMs)} UTC. `
    + (upgrade.hasBackup ? 'Rollback image has been created. Proceed to upgrade daemons.'
      : 'Rollback image has not been created.'));
}

function state(now, well) {
  const kind = {ok: 'good', safemode: 'warn', failed: 'bad'}[well.status];
  const {live, dead, stale} = now.datanodes;
  const {missing, corrupt, lowRedundancy} = now.blocks;
  const works = well.storeWritable && well.storeReadable;
  return [
    element('h2', {}, 'State'),
    cards([
      ['NameNode', {ok: 'ok', safemode: 'safe mode', failed: 'failed'}[well.status] || well.status, kind],
      ['Store', works ? 'reads and writes' : 'does not work', works ? 'good' : 'bad'],
      ['Up for', duration(well.uptimeMs)],
      ['DataNodes', element('a', {href: '#/datanodes'}, `${number(live)} live, ${number(dead)} dead`
        + (stale > 0 ? `, ${number(stale)} stale` : '')), dead > 0 || live === 0 || stale > 0 ? 'warn' : 'good'],
      ['Missing blocks', number(missing), missing > 0 ? 'bad' : 'good'],
      ['Corrupt blocks', number(corrupt), corrupt > 0 ? 'bad' : 'good'],
      ['Low redundancy', number(lowRedundancy), lowRedundancy > 0 ? 'warn' : 'good'],
    ]),
    ...(now.safeModeTip ? [element('p', {class: 'warn'}, now.safeModeTip)] : []),
  ];
}

/** In proportion: the parts are the whole of what DataNodes have. What they keep free for others belongs to none of the first three. */
function capacity(all, live) {
  const reserved = Math.max(0, all.total - all.used - all.other - all.remaining);
  const parts = [['Used', 'used', all.used], ['Used by other data', 'other', all.other],
    ...(reserved / all.total >= 0.001 ? [['Reserved for other data', 'reserved', reserved]] : []), ['Remaining', 'rest', all.remaining]];
  const text = ([name, , part]) => `${name} ${bytes(part)} (${percent(part, all.total)})`;
  return [
    element('h2', {}, 'Capacity'),
    ...(all.total > 0 ? [
      element('p', {}, element('strong', {}, bytes(all.total)), ` on ${number(live)} live ${live === 1 ? 'DataNode' : 'DataNodes'}`),
      element('div', {class: 'bar', id: 'capacity', role: 'img', 'aria-label': parts.map(text).join(', ')},
        ...parts.slice(0, -1).map(([, kind, part]) => element('span', {class: kind, style: `width:${100 * part / all.total}%`}))),
      element('ul', {class: 'key'}, ...parts.map(part => element('li', {}, element('i', {class: part[1]}), text(part)))),
    ] : [element('p', {class: 'dim'}, 'No live DataNode has told its capacity.')]),
  ];
}

function namespace(now) {
  return [
    element('h2', {}, 'Namespace'),
    cards([
      ['Files and directories', number(now.files)],
      ['Blocks', number(now.blocks.total)],
      ['Open files', number(now.openFiles)],
    ]),
  ];
}

function cluster(now) {
  return [
    element('h2', {}, 'Cluster'),
    facts([
      ['Acacia', now.version],
      ['Hadoop', now.hadoopVersion],
      ['Store', now.engine],
      ['Place of the store', now.place],
      ...(now.partitionsSpread ? [['Regions', 'spread over the servers of HBase']] : []),
      ...(now.roundTrips === undefined ? [] : [['Requests to the store', number(now.roundTrips)]]),
      ['Cluster', now.clusterId],
      ['Block pool', now.blockPoolId],
    ]),
  ];
}
