// What the NameNode is asked.

async function json(url) {
  const response = await fetch(url, {headers: {Accept: 'application/json'}, cache: 'no-store'});
  const text = await response.text();
  let body;
  try {
    body = JSON.parse(text);
  } catch (e) {
    throw new Error(`${url.split('?')[0]} answered ${response.status}`);
  }
  if (body.RemoteException) {
    throw new Error(body.RemoteException.message || body.RemoteException.exception);
  }
  return body;
}

/** The NameNode's beans by name; a pattern may end with a star. */
export async function beans(pattern = '*') {
  const all = await json(`jmx?qry=Hadoop:service=NameNode,name=${pattern}`);
  return Object.fromEntries(all.beans.map(bean => [bean.name.replace(/.*,name=/, ''), bean]));
}

export const status = () => json('api/status');

export const health = () => json('health');

/** Each part of a path as a part of a URL. */
export function encode(path) {
  return path.split('/').map(encodeURIComponent).join('/');
}

function webHdfs(path, query) {
  return json(`webhdfs/v1${encode(path)}?${query}`);
}

export async function fileStatus(path) {
  return (await webHdfs(path, 'op=GETFILESTATUS')).FileStatus;
}

/** A page of a directory: its entries, and how many come after it. */
export async function list(path, startAfter) {
  const after = startAfter === undefined ? '' : `&startAfter=${encodeURIComponent(startAfter)}`;
  const listing = (await webHdfs(path, `op=LISTSTATUS_BATCH${after}`)).DirectoryListing;
  return {
    entries: listing.partialListing.FileStatuses.FileStatus,
    remaining: listing.remainingEntries,
  };
}

export async function blocks(path) {
  return (await webHdfs(path, 'op=GET_BLOCK_LOCATIONS')).LocatedBlocks.locatedBlocks;
}

/** Where a file can be had. */
export const content = path => `webhdfs/v1${encode(path)}?op=OPEN`;
