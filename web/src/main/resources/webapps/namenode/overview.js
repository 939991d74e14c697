import {beans, health} from './api.js';
import {bytes, duration, number, percent, time} from './format.js';
import {cards, element, svg} from './dom.js';
import {members} from './members.js';

const SAMPLES = 60;
const WIDTH = 600;
const HEIGHT = 100;

/** Operations a second, as they were since the page is open. */
const rates = [];
let last = null;

function sample(all) {
  const rpc = Object.values(all).find(bean => /name=RpcActivityForPort/.test(bean.name));
  if (!rpc) {
    return;
  }
  const now = {calls: rpc.TotalRequests, at: performance.now()};
  if (last && now.calls >= last.calls && now.at > last.at) {
    rates.push((now.calls - last.calls) * 1000 / (now.at - last.at));
    rates.splice(0, rates.length - SAMPLES);
  }
  last = now;
}

function plot() {
  const most = Math.max(1, ...rates);
  const first = SAMPLES - rates.length;
  const points = rates.map((rate, i) =>
    `${(first + i) * WIDTH / (SAMPLES - 1)},${HEIGHT - 4 - rate / most * (HEIGHT - 8)}`);
  const now = rates.length ? rates[rates.length - 1] : 0;
  const label = `${number(Math.round(now))} operations a second now, at most ${number(Math.round(most))}`;
  return element('figure', {style: 'margin:0'},
    svg('svg', {class: 'plot', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none',
      role: 'img', 'aria-label': label}, svg('polyline', {points: points.join(' ')})),
    element('figcaption', {id: 'rate'}, label));
}

/** With the words of HDFS's page. */
function rollingUpgrade(upgrade) {
  return upgrade ? [element('p', {id: 'rolling-upgrade', class: 'warn'},
    `Rolling upgrade started at ${time(upgrade.startTime)} UTC. `
    + (upgrade.createdRollbackImages ? 'Rollback image has been created. Proceed to upgrade daemons.'
      : 'Rollback image has not been created.'))] : [];
}

export const everyMs = 2000;

export async function show() {
  const [all, well] = await Promise.all([beans(), health()]);
  sample(all);
  const info = all.NameNodeInfo;
  const system = all.FSNamesystem;
  const missing = info.NumberOfMissingBlocks;
  const low = system.LowRedundancyBlocks;
  const state = {ok: 'good', safemode: 'warn', failed: 'bad'}[well.status];
  return [
    element('h2', {}, 'Health'),
    cards([
      ['State', well.status, state],
      ['Store', well.storeWritable && well.storeReadable ? 'reads and writes' : 'does not work',
        well.storeWritable && well.storeReadable ? 'good' : 'bad'],
      ['Up for', duration(well.uptimeMs)],
      ['Missing blocks', number(missing), missing > 0 ? 'bad' : 'good'],
      ['Low redundancy', number(low), low > 0 ? 'warn' : 'good'],
      ['Corrupt blocks', number(system.CorruptBlocks), system.CorruptBlocks > 0 ? 'bad' : 'good'],
      ['DataNodes', `${number(system.NumLiveDataNodes)} live, ${number(system.NumDeadDataNodes)} dead`,
        system.NumDeadDataNodes > 0 || system.NumLiveDataNodes === 0 ? 'warn' : 'good'],
    ]),
    ...(info.Safemode ? [element('p', {class: 'warn'}, info.Safemode)] : []),
    ...rollingUpgrade(info.RollingUpgradeStatus),
    ...members(well),
    element('h2', {}, 'Capacity'),
    element('div', {class: 'bar', role: 'img', 'aria-label': `${percent(info.Used, info.Total)} used`},
      element('span', {style: `width:${info.Total > 0 ? 100 * info.Used / info.Total : 0}%`})),
    cards([
      ['Total', bytes(info.Total)],
      ['Used', `${bytes(info.Used)} (${percent(info.Used, info.Total)})`],
      ['Remaining', `${bytes(info.Free)} (${percent(info.Free, info.Total)})`],
      ['Used by others', bytes(info.NonDfsUsedSpace)],
    ]),
    element('h2', {}, 'Namespace'),
    cards([
      ['Files and directories', number(system.FilesTotal)],
      ['Blocks', number(system.BlocksTotal)],
      ['Open files', number(system.NumFilesUnderConstruction)],
    ]),
    element('h2', {}, 'Operations a second'),
    plot(),
    element('h2', {}, 'Cluster'),
    cards([
      ['Version', info.Version],
      ['Cluster', info.ClusterId],
      ['Block pool', info.BlockPoolId],
    ]),
  ];
}
