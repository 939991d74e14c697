// Several NameNodes of which one leads: as the leader sees them, and as one that stands by does.
import {health, status} from './api.js';
import {bytes, duration, number, time} from './format.js';
import {cards, element, table} from './dom.js';

/** After so long its health warns. */
const LONGEST_SILENCE_MS = 10000;

/** What the leader's health says of all; nothing where it is no such NameNode. */
export function members(well) {
  if (!well.followers) {
    return [];
  }
  return [
    element('h2', {}, 'NameNodes'),
    table('NameNodes', [['NameNode', 'name'], ['Role'], ['Entries behind', 'number'], ['Last answer', 'number']],
      [[well.member, 'leads', '', ''],
        ...well.followers.map(row)]),
    ...well.warnings.map(warning => element('p', {class: 'warn'}, warning)),
    ...leadership(well),
  ];
}

/** Several that serve one store, each alike; nothing where no other can. */
export function sharing(nameNodes) {
  return nameNodes.length === 0 ? [] : [
    element('h2', {}, `NameNodes (${number(nameNodes.length)})`),
    table('NameNodes', [['NameNode', 'name'], ['Started'], ['Does also']],
      nameNodes.map(each => [each.isThis ? element('strong', {}, `${each.name} (this one)`) : each.name,
        `${time(each.startedMs)} UTC`, each.isFirst ? 'what one does for all' : ''])),
  ];
}

/** A silent one may have more than it has told this leader. */
function row(follower) {
  const silent = follower.silentMs > LONGEST_SILENCE_MS;
  return [follower.name, silent ? element('span', {class: 'warn'}, 'does not answer') : 'stands by',
    `${silent ? 'at most ' : ''}${number(follower.entriesBehind)}`, `${duration(follower.silentMs)} ago`];
}

function leadership(now) {
  return [
    cards([
      ['Term', number(now.term)],
      ['Applied batch', number(now.appliedBatch)],
      ['Changes of the leader', number(now.leaderChanges)],
    ]),
    ...(now.lastFailover ? [element('p', {}, `Last failover: ${failover(now.lastFailover)}`)] : []),
  ];
}

function failover(last) {
  const again = last.from === last.to ? `to ${last.to} again` : `from ${last.from} to ${last.to}`;
  const members = last.from ? again : `to ${last.to}`;
  return `${time(last.atMs)} UTC, ${members}${last.why ? `: ${last.why}` : ''}`;
}

/** The page of a NameNode that stands by. */
export async function show() {
  const [now, well] = await Promise.all([status(), health()]);
  return [
    element('h2', {}, 'This NameNode stands by'),
    ...(well.problem ? [element('p', {class: 'bad'}, well.problem)] : []),
    ...(now.leader ? [element('p', {}, ...leader(now))] : []),
    cards([
      ['State', well.status, well.status === 'failed' ? 'bad' : 'good'],
      ['NameNode', now.member],
      ['Entries behind', number(now.entriesBehind), now.entriesBehind > 0 ? 'warn' : 'good'],
      ['Leader heard', `${duration(now.leaderSilentMs)} ago`],
      ['Started', `${time(now.startup.startedMs)} UTC`],
      ['Engine', now.engine],
    ]),
    ...start(now.startup),
    element('h2', {}, 'Leadership'),
    ...leadership(now),
  ];
}

/** What it does before it takes its part; nothing afterwards. */
function start(now) {
  const doing = {
    READS_LOG: () => ['Reading the log', now.entriesRead, now.entries, number],
    COPIES_STORE: () => ['Copying the store from the leader', now.copiedBytes, now.copyBytes, bytes],
    AWAITS_LEADER: () => ['Waiting for a leader', 0, 0, number],
  }[now.step];
  if (!doing) {
    return [];
  }
  const [what, done, all, shown] = doing();
  return [
    element('h2', {}, 'Start'),
    element('p', {id: 'start', class: 'warn'}, all > 0 ? `${what}: ${shown(done)} of ${shown(all)}` : `${what}.`),
    ...(all > 0 ? [element('progress', {max: all, value: done, 'aria-label': what})] : []),
  ];
}

function leader(now) {
  const leads = now.leaderPage ? element('a', {href: now.leaderPage}, now.leader) : now.leader;
  return ['The leader is ', leads, '. It serves files, DataNodes and all other pages.'];
}
