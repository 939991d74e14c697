// What can be done with a file or a directory.
import {ask, done, orTell} from './dialog.js';
import {element} from './dom.js';
import {aclText, aclSpec} from './acl.js';
import {absolute, decode, join, link, nameOf, parent, problemOf} from './paths.js';
import {octal, rights} from './format.js';
import {quotaDialog} from './quota.js';
import * as files from './webhdfs.js';
import {xattrDialog} from './xattrs.js';

/** Names and deeds, for a menu. */
export function entryActions(path, status, mayAct) {
  const isFile = status.type === 'FILE';
  return [
    ['Open', () => { location.hash = link(path); }],
    ...(isFile ? [['Download', () => download(path)]] : []),
    ...(mayAct ? changes(path, status, isFile) : []),
  ];
}

function changes(path, status, isFile) {
  const isRoot = path === '/';
  return [
    ...(isRoot ? [] : [['Rename', () => renameTo(path)], ['Move', () => move(path)]]),
    ['Owner', () => owner(path, status)],
    ['Permission', () => permission(path, status)],
    ['ACL', () => acl(path)],
    ...(isFile ? [['Replication', () => replication(path, status)]] : [['Quota', () => quotaDialog(path)]]),
    ['Storage policy', () => policy(path)],
    ['Extended attributes', () => xattrDialog(path)],
    ...(isRoot ? [] : [['Delete', () => remove(path)]]),
  ];
}

/** The browser goes where the NameNode sends it, and keeps what comes. */
export function download(path) {
  element('a', {href: files.content(path), download: nameOf(path)}).click();
}

export function makeDirectory(folder) {
  return ask(`New directory in ${folder}`, [{name: 'name', label: 'Name', type: 'name', isRequired: true}], {
    name: 'Make',
    async does({name}) {
      refuse(problemOf(name));
      await files.makeDirectory(join(folder, name));
      done(`${join(folder, name)} is there.`);
    },
  });
}

function refuse(problem) {
  if (problem) {
    throw new Error(problem);
  }
}

function renameTo(path) {
  return ask(`Rename ${nameOf(path)}`, [{name: 'name', label: 'New name', type: 'name', value: nameOf(path), isRequired: true}], {
    name: 'Rename',
    async does({name}) {
      refuse(problemOf(name));
      await goesOn(path, join(parent(path), name));
    },
  });
}

function move(path) {
  return ask(`Move ${nameOf(path)}`, [{name: 'to', label: 'To', type: 'name', value: path, isRequired: true,
    hint: 'The new path; a directory that is there takes it in.'}], {
    name: 'Move',
    does: async ({to}) => goesOn(path, await placeFor(path, absolute(to))),
  });
}

async function goesOn(path, destination) {
  await files.rename(path, destination);
  leave(path);
  done(`${path} was moved to ${destination}.`);
}

/** A directory that is there takes it in. */
async function placeFor(path, wanted) {
  const there = await files.fileStatus(wanted).catch(() => null);
  return there && there.type === 'DIRECTORY' ? join(wanted, nameOf(path)) : wanted;
}

/** The page of what is gone shows what is around it. */
function leave(path) {
  if (decode(location.hash).startsWith(`#/files${path}`)) {
    history.replaceState(null, '', link(parent(path)));
  }
}

function owner(path, status) {
  return ask(`Owner of ${nameOf(path) || path}`, [
    {name: 'owner', label: 'Owner', value: status.owner},
    {name: 'group', label: 'Group', value: status.group},
  ], {
    name: 'Set',
    async does({owner: user, group}) {
      await files.setOwner(path, user === status.owner ? '' : user, group === status.group ? '' : group);
      done(`${path} belongs to ${user || status.owner}:${group || status.group}.`);
    },
  });
}

function permission(path, status) {
  return ask(`Permission of ${nameOf(path) || path}`, [{name: 'bits', label: 'Permission', value: octal(status.permission),
    isRequired: true, hint: `Octal, now ${rights(status.type, status.permission)}: 4 reads, 2 writes, 1 executes; of the owner, the group, others.`}], {
    name: 'Set',
    async does({bits}) {
      refuse(/^[01]?[0-7]{3}$/.test(bits) ? '' : 'Three or four octal digits are needed, such as 755.');
      await files.setPermission(path, bits);
      done(`${path} has the permission ${rights(status.type, bits)}.`);
    },
  });
}

async function acl(path) {
  const text = await orTell(aclText(path));
  return text !== undefined && ask(`ACL of ${nameOf(path) || path}`, [{name: 'entries', label: 'Entries', type: 'textarea', value: text,
    hint: 'One a line, such as user:alice:rw- or default:group:staff:r-x. Lines that are taken away are removed.'}], {
    name: 'Set',
    async does({entries}) {
      await files.setAcl(path, aclSpec(entries));
      done(`${path} has a new ACL.`);
    },
  });
}

function replication(path, status) {
  return ask(`Replication of ${nameOf(path)}`, [{name: 'count', label: 'Replicas of each block', type: 'number', value: status.replication, isRequired: true}], {
    name: 'Set',
    async does({count}) {
      await files.setReplication(path, count);
      done(`${path} is to have ${count} replicas.`);
    },
  });
}

async function policy(path) {
  const known = await orTell(Promise.all([files.storagePolicies(), files.fileStatus(path)]));
  if (known === undefined) {
    return false;
  }
  const [all, {storagePolicy}] = known;
  const now = all.find(each => each.id === storagePolicy);
  return ask(`Storage policy of ${nameOf(path) || path}`, [{name: 'chosen', label: 'Policy', type: 'select', value: now ? now.name : '',
    options: [['', 'That of the directory above'], ...all.map(each => [each.name, `${each.name}: ${each.storageTypes.join(', ')}`])]}], {
    name: 'Set',
    async does({chosen}) {
      await (chosen === '' ? files.unsetStoragePolicy(path) : files.setStoragePolicy(path, chosen));
      done(chosen === '' ? `${path} has the storage policy of the directory above.` : `${path} has the storage policy ${chosen}.`);
    },
  });
}

/** As Hadoop's shell: into the trash of the viewer, where there is one. */
async function remove(path) {
  const trash = await orTell(files.trash(path));
  if (trash === undefined) {
    return false;
  }
  const isKept = trash.minutes > 0 && path !== trash.root && !path.startsWith(`${trash.root}/`) && !trash.root.startsWith(`${path}/`);
  const text = isKept ? `It goes to the trash, ${trash.root}, which is emptied after ${trash.minutes} minutes.`
    : trash.minutes > 0 ? 'It is or holds the trash, so it is deleted for good.'
      : 'There is no trash here (fs.trash.interval), so it is deleted for good.';
  return ask(`Delete ${nameOf(path)}?`, [element('p', {}, text),
    ...(isKept ? [{name: 'forGood', label: 'Delete it for good', type: 'checkbox'}] : [])], {
    name: 'Delete',
    isDangerous: true,
    async does({forGood = false}) {
      if (isKept && !forGood) {
        await moveToTrash(path, `${trash.root}/Current`);
      } else {
        await files.remove(path);
      }
      leave(path);
      done(isKept && !forGood ? `${path} is in the trash.` : `${path} is deleted.`);
    },
  });
}

/** Something with the same path may be there: then the time is added, as Hadoop's shell does. */
async function moveToTrash(path, current) {
  await files.makeTrashDirectory(current + (parent(path) === '/' ? '' : parent(path)));
  const there = await files.fileStatus(current + path).catch(() => null);
  await files.rename(path, current + path + (there ? Date.now() : ''));
}
