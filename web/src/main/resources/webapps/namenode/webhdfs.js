// Files, by WebHDFS, as the viewer.
import {json, shell} from './api.js';
import {encode} from './paths.js';
import {userName} from './viewer.js';

let known = null;

/** Asked once. */
function facts() {
  known ??= shell().catch(e => { known = null; throw e; });
  return known;
}

/** An operation, with its parameters by name. */
function url(path, op, parameters = {}) {
  const query = new URLSearchParams({op, ...parameters});
  if (userName() !== '') {
    query.set('user.name', userName());
  }
  return `webhdfs/v1${encode(path)}?${query.toString().replace(/\+/g, '%20')}`;
}

function checked(body) {
  if (body.RemoteException) {
    const problem = new Error((body.RemoteException.message || body.RemoteException.exception).split('\n')[0]);
    problem.kind = body.RemoteException.exception;
    throw problem;
  }
  return body;
}

const get = async (path, op, parameters) => checked(await json(url(path, op, parameters)));

/** What changes something; a browser's requests need the header where dfs.webhdfs.rest-csrf.enabled is on. */
async function send(method, path, op, parameters) {
  const {csrfHeader} = await facts();
  const response = await fetch(url(path, op, parameters), {method, headers: {[csrfHeader]: 'acacia', Accept: 'application/json'}});
  const text = await response.text();
  let body = {};
  try {
    body = text === '' ? {} : JSON.parse(text);
  } catch (e) {
    throw new Error(`${op} answered ${response.status}`);
  }
  checked(body);
  if (!response.ok) {
    throw new Error(body.message || `${op} answered ${response.status}`);
  }
  return body;
}

const put = (path, op, parameters) => send('PUT', path, op, parameters);

/** Those that answer no more than whether they did it. */
async function whether(answer, sentence) {
  if ((await answer).boolean === false) {
    throw new Error(sentence);
  }
}

export const mayAct = async () => (await facts()).actions;

export const isSecure = async () => (await facts()).secure;

export const fileStatus = async path => (await get(path, 'GETFILESTATUS')).FileStatus;

export const homeOf = async () => (await get('/', 'GETHOMEDIRECTORY')).Path;

/** The viewer's name, as the NameNode knows it. */
export const viewer = async () => (await homeOf()).replace(/.*\//, '');

/**
 * A part of a directory: its entries, and whether more come after it. The docs of HDFS write startAfter, but its NameNodes know names of
 * parameters in small letters alone.
 */
export async function list(path, startAfter = '') {
  const listing = (await get(path, 'LISTSTATUS_BATCH', startAfter === '' ? {} : {startafter: startAfter})).DirectoryListing;
  return {entries: listing.partialListing.FileStatuses.FileStatus, remaining: listing.remainingEntries};
}

/** What is told of the blocks in a part of a file. */
export const blocks = async (path, offset, length) => (await get(path, 'GET_BLOCK_LOCATIONS', {offset, length})).LocatedBlocks;

/** Where a file can be had. */
export const content = path => url(path, 'OPEN');

/** The address at a DataNode where bytes are to be read. */
export const placeToRead = async (path, offset, length) =>
  (await get(path, 'OPEN', {offset, length, noredirect: true})).Location;

/** The address at a DataNode where a file is to be sent. */
export const placeToWrite = async (path, overwrite) =>
  (await put(path, 'CREATE', {overwrite, noredirect: true})).Location;

export const makeDirectory = path => whether(put(path, 'MKDIRS'), `${path} could not be made.`);

/** The new path must not be there, and its directory must. */
export const rename = (path, destination) => put(path, 'RENAME', {destination, renameoptions: 'NONE'});

/** The same, in place of a file that may be there. */
export const replace = (path, destination) => put(path, 'RENAME', {destination, renameoptions: 'OVERWRITE'});

export const remove = path => whether(send('DELETE', path, 'DELETE', {recursive: true}), `${path} is not there.`);

/** Never a directory that is not empty. */
export const removeFile = path => send('DELETE', path, 'DELETE', {recursive: false});

export const setOwner = (path, owner, group) => put(path, 'SETOWNER', {...(owner ? {owner} : {}), ...(group ? {group} : {})});

export const setPermission = (path, permission) => put(path, 'SETPERMISSION', {permission});

export const setReplication = (path, replication) =>
  whether(put(path, 'SETREPLICATION', {replication}), `${path} is no file.`);

/** Fails where the viewer may not do it. */
export const checkAccess = (path, fsaction) => get(path, 'CHECKACCESS', {fsaction});

export const acl = async path => (await get(path, 'GETACLSTATUS')).AclStatus;

/** All entries, those of the owner, the group and others among them. */
export const setAcl = (path, aclspec) => put(path, 'SETACL', {aclspec});

export const removeAcl = path => put(path, 'REMOVEACL');

export const storagePolicies = async () => (await get('/', 'GETALLSTORAGEPOLICY')).BlockStoragePolicies.BlockStoragePolicy;

export const storagePolicy = async path => (await get(path, 'GETSTORAGEPOLICY')).BlockStoragePolicy;

export const setStoragePolicy = (path, storagepolicy) => put(path, 'SETSTORAGEPOLICY', {storagepolicy});

export const unsetStoragePolicy = path => send('POST', path, 'UNSETSTORAGEPOLICY');

export const quotaUsage = async path => (await get(path, 'GETQUOTAUSAGE')).QuotaUsage;

/** What is undefined stays as it is; -1 takes a quota away. */
export const setQuota = (path, namespacequota, storagespacequota) => put(path, 'SETQUOTA', {
  ...(namespacequota === undefined ? {} : {namespacequota}), ...(storagespacequota === undefined ? {} : {storagespacequota})});

export const setTypeQuota = (path, storagetype, storagespacequota) =>
  put(path, 'SETQUOTABYSTORAGETYPE', {storagetype, storagespacequota});

export const summary = async path => (await get(path, 'GETCONTENTSUMMARY')).ContentSummary;

/** Names, and values as bytes. */
export const xattrs = async path => (await get(path, 'GETXATTRS', {encoding: 'base64'})).XAttrs
  .map(({name, value}) => ({name, value: Uint8Array.from(atob((value || '').replace(/^0s/, '')), letter => letter.charCodeAt(0))}));

/** The value is text, "text", 0x... or 0s..., as Hadoop's setfattr takes it. */
export const setXattr = (path, name, value, flag) => put(path, 'SETXATTR', {'xattr.name': name, 'xattr.value': value, flag});

export const removeXattr = (path, name) => put(path, 'REMOVEXATTR', {'xattr.name': name});

/** Where the viewer's trash for a path is, and after how many minutes it is emptied; 0: there is no trash. */
export async function trash(path) {
  const [root, defaults] = await Promise.all([get(path, 'GETTRASHROOT'), get('/', 'GETSERVERDEFAULTS')]);
  return {root: root.Path.replace(/^\w+:\/\/[^/]*/, ''), minutes: defaults.FsServerDefaults.trashInterval};
}

export const makeTrashDirectory = path => whether(put(path, 'MKDIRS', {permission: '700'}), `${path} could not be made.`);
