// What the NameNode does beside calls, and how its start went.
import {ask} from './ask.js';
import {status} from './api.js';
import {bytes, duration, number, percent, time} from './format.js';
import {cards, element, table} from './dom.js';

export async function show() {
  const [work, now] = await Promise.all([ask('work'), status()]);
  const start = now.startup;
  return [
    element('h2', {}, 'Jobs'),
    table('Jobs', [['Job', 'name'], ['Left', 'number'], ['Progress', 'name'], ['A second', 'number'],
      ['Time left', 'number']],
      work.jobs.map(job => [job.name, number(job.left), progress(job), job.left > 0 ? String(job.perSecond) : '',
        job.left > 0 ? (job.leftMs === undefined ? 'not known' : duration(job.leftMs)) : ''])),
    element('h2', {}, 'Under way'),
    work.running.length === 0 ? element('p', {}, 'No check, no backup and no export is under way.')
      : table('Under way', [['Work', 'name'], ['About', 'name'], ['Now', 'name'], ['Progress', 'name'], ['Done', 'name'],
        ['For', 'number'], ['Time left', 'number']],
      work.running.map(run => [run.name, run.detail, run.step || 'not known', share(run), amount(run),
        duration(work.nowMs - run.sinceMs), run.leftMs === undefined ? 'not known' : duration(run.leftMs)])),
    ...rollingUpgrade(now.rollingUpgrade),
    element('h2', {}, 'Start'),
    cards([
      ['Started', `${time(start.startedMs)} UTC`],
      ['Store opened after', duration(start.storeOpenedAfterMs)],
      ['Served calls after', duration(start.servesAfterMs)],
      ['Safe mode', start.safeMode ? 'on' : 'off', start.safeMode ? 'warn' : 'good'],
    ]),
    ...(start.safeModeTip ? [element('p', {class: 'warn'}, start.safeModeTip)] : []),
  ];
}

function rollingUpgrade(upgrade) {
  return upgrade ? [element('h2', {}, 'Rolling upgrade'), cards([
    ['Started', `${time(upgrade.startedMs)} UTC`],
    ['Backup for a rollback', upgrade.backup || 'not made yet', upgrade.backup ? 'good' : 'warn'],
  ])] : [];
}

/** How far work is, where the whole is known. */
function share(run) {
  return run.total === undefined ? 'the whole is not known' : element('span', {},
    element('progress', {max: Math.max(1, run.total), value: run.done, 'aria-label': `${run.name}: ${amount(run)}`}),
    ` ${percent(run.done, run.total)}`);
}

function amount(run) {
  if (run.done === undefined) {
    return 'not known';
  }
  const shown = run.unit === 'bytes' ? bytes : count => number(count);
  const unit = run.unit === 'bytes' ? '' : ` ${run.unit}`;
  return run.total === undefined ? `${shown(run.done)}${unit}` : `${shown(run.done)} of about ${shown(run.total)}${unit}`;
}

function progress(job) {
  if (job.left === undefined) {
    return 'not known';
  }
  return job.left === 0 ? 'nothing to do' : element('progress', {max: job.left + job.done, value: job.done,
    'aria-label': `${job.name}: ${number(job.done)} done of ${number(job.left + job.done)}`});
}
