import {status} from './api.js';
import {duration, number, time} from './format.js';
import {cards, element, table} from './dom.js';

export const everyMs = 2000;

/** The most that was left of a job since the page is open: what its progress is measured by. */
const most = new Map();

export async function show() {
  const now = await status();
  const start = now.startup;
  return [
    element('h2', {}, 'Start'),
    cards([
      ['Started', `${time(start.startedMs)} UTC`],
      ['Store opened after', duration(start.storeOpenedAfterMs)],
      ['Served calls after', duration(start.servesAfterMs)],
      ['Safe mode', start.safeMode ? 'on' : 'off', start.safeMode ? 'warn' : 'good'],
    ]),
    ...(start.safeModeTip ? [element('p', {class: 'warn'}, start.safeModeTip)] : []),
    ...rollingUpgrade(now.rollingUpgrade),
    element('h2', {}, 'Jobs'),
    table('Jobs', [['Job', 'name'], ['Left', 'number'], ['Progress since this page is open', 'name']],
      now.jobs.map(job => [job.name, number(job.left), progress(job)])),
    element('h2', {}, 'Users'),
    table('Users whose calls cost most of late', [['User', 'name'], ['Threads were at work for', 'number'],
      ['Served', 'name']],
      now.users.map(user => [user.name, duration(user.costMs), user.isolated ? 'by separate threads' : 'with all others'])),
  ];
}

function rollingUpgrade(upgrade) {
  return upgrade ? [element('h2', {}, 'Rolling upgrade'), cards([
    ['Started', `${time(upgrade.startedMs)} UTC`],
    ['Backup for a rollback', upgrade.backup || 'not made yet', upgrade.backup ? 'good' : 'warn'],
  ])] : [];
}

function progress(job) {
  const left = job.left || 0;
  const highest = Math.max(left, most.get(job.name) || 0);
  most.set(job.name, left === 0 ? 0 : highest);
  if (left === 0) {
    return 'nothing to do';
  }
  return element('progress', {max: highest, value: highest - left, 'aria-label': job.name});
}
