// The quota of a directory, of names, of space and of space by type of storage.
import {ask, done, orTell} from './dialog.js';
import {parseBytes} from './format.js';
import {nameOf} from './paths.js';
import {quotaUsage, setQuota, setTypeQuota} from './webhdfs.js';

const NO_QUOTA = -1;
const TYPES = ['DISK', 'SSD', 'ARCHIVE', 'NVDIMM'];

/** HDFS writes the largest long where there is no limit, as for the names of the root. */
const NO_LIMIT = 2 ** 63;

export const isQuota = limit => limit >= 0 && limit < NO_LIMIT;

const shown = limit => isQuota(limit) ? String(limit) : '';

export async function quotaDialog(path) {
  const usage = await orTell(quotaUsage(path));
  if (usage === undefined) {
    return false;
  }
  const byType = usage.typeQuota || {};
  const types = [...new Set([...TYPES, ...Object.keys(byType)])];
  const before = {names: shown(usage.quota), space: shown(usage.spaceQuota),
    ...Object.fromEntries(types.map(type => [type, shown(byType[type]?.quota ?? NO_QUOTA)]))};
  return ask(`Quota of ${nameOf(path) || path}`, [
    {name: 'names', label: 'Names', value: before.names, hint: 'How many files and directories; empty: any number.'},
    {name: 'space', label: 'Space', value: before.space, hint: 'Bytes of all replicas, such as 500 GiB; empty: no limit.'},
    ...types.map(type => ({name: type, label: `Space on ${type}`, value: before[type]})),
  ], {
    name: 'Set',
    async does(values) {
      const changed = Object.fromEntries(Object.entries(values).map(([name, text]) => [name, text.trim()])
        .filter(([name, text]) => text !== before[name]).map(([name, text]) => [name, text === '' ? NO_QUOTA : parseBytes(text)]));
      if ('names' in changed || 'space' in changed) {
        await setQuota(path, changed.names, changed.space);
      }
      for (const type of types.filter(each => each in changed)) {
        await setTypeQuota(path, type, changed[type]);
      }
      done(Object.keys(changed).length > 0 ? `${path} has a new quota.` : `${path} keeps its quota.`);
    },
  });
}
