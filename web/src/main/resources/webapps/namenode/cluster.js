// The servers that keep the store, where it is not on the NameNode's own disk.
import {bytes, number, percent} from './format.js';
import {cards, element, table} from './dom.js';

/**
 * What the master tells of servers and regions, and how many regions each server has.
 *
 * @param now as the NameNode answers; undefined where it keeps the store itself
 * @param more elements that follow where not all servers are shown
 */
export function cluster(now, more = []) {
  if (!now) {
    return [];
  }
  const title = element('h2', {}, 'HBase: servers and regions');
  if (now.problem) {
    return [title, element('p', {class: 'warn'}, `Not known: ${now.problem}`)];
  }
  const offline = now.regions - now.online;
  return [
    title,
    cards([
      ['Master', now.master],
      ['Backup masters', now.backupMasters.length === 0 ? 'none' : now.backupMasters.join(', '),
        now.backupMasters.length === 0 ? 'warn' : ''],
      ['Region servers', `${number(now.live)} live, ${number(now.dead.length)} dead`,
        now.live === 0 ? 'bad' : now.dead.length > 0 ? 'warn' : 'good'],
      ['Regions online', `${number(now.online)} of ${number(now.regions)}`, offline > 0 ? 'bad' : 'good'],
      ['Coprocessor', ...coprocessor(now.coprocessor)],
      ['Requests a second', number(now.requestsPerSecond)],
      ['Files of the regions', now.fileBytes === undefined ? 'not known' : bytes(now.fileBytes)],
      ['HBase', now.version],
    ]),
    ...list('Dead', now.dead),
    ...list('In transition', now.transitions.map(each => `${each.region} is ${each.state}`)),
    ...servers(now, more),
  ];
}

function list(title, names) {
  return names.length === 0 ? [] : [element('p', {class: 'warn'}, `${title}: ${names.join(', ')}`)];
}

/** In words, and a class. */
function coprocessor(now) {
  if (!now) {
    return ['none'];
  }
  const versions = Object.entries(now.versions).map(([version, regions]) =>
    `${version || 'of an unknown version'} in ${number(regions)}`);
  const parts = [...versions,
    ...(now.missing > 0 ? [`missing in ${number(now.missing)}`] : []),
    ...(now.unknown > 0 ? [`not known of ${number(now.unknown)}`] : [])];
  const isOne = now.missing === 0 && now.unknown === 0 && Object.keys(now.versions).length === 1;
  return [isOne && now.versions[now.own] ? `${now.own} in all regions` : parts.join(', ') || 'not known',
    now.missing > 0 ? 'warn' : isOne ? 'good' : ''];
}

function servers(now, more) {
  if (!now.servers) {
    return [];
  }
  return [
    element('h3', {}, 'Region servers'),
    table('Region servers', [['Region server', 'name'], ['Regions', 'number'], ['Files', 'number'],
      ['Requests a second', 'number'], ['Heap', 'number']],
    now.servers.map(each => [each.name, number(each.regions), bytes(each.fileBytes), number(each.requestsPerSecond),
      percent(each.heapBytes, each.maxHeapBytes)])),
    ...(now.servers.length < now.live ? more : []),
  ];
}
