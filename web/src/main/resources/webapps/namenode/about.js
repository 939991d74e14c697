// What else is known of a file or a directory; asked for when the viewer opens it, as it may take long.
import {aclText} from './acl.js';
import {cards, element} from './dom.js';
import {bytes, number, percent} from './format.js';
import * as files from './webhdfs.js';
import {isQuota} from './quota.js';
import {list} from './xattrs.js';

export function about(path, status) {
  const shown = element('div');
  const isFile = status.type === 'FILE';
  const details = element('details', {}, element('summary', {}, `More about this ${isFile ? 'file' : 'directory'}`), shown);
  details.addEventListener('toggle', () => {
    if (details.open && shown.childElementCount === 0) {
      fill(path, status, isFile, shown);
    }
  });
  return details;
}

async function fill(path, status, isFile, shown) {
  const parts = [part('ACL', acl(path)), part('Extended attributes', attributes(path)), part('Storage policy', policy(status)),
    ...(isFile ? [] : [part('What is below it', summary(path))])];
  shown.replaceChildren(...await Promise.all(parts));
}

/** One that fails hides none of the others. */
async function part(title, content) {
  try {
    return element('section', {}, element('h3', {}, title), await content);
  } catch (e) {
    return element('section', {}, element('h3', {}, title), element('p', {class: 'bad'}, e.message));
  }
}

const acl = async path => element('pre', {class: 'text'}, await aclText(path));

const attributes = async path => list(await files.xattrs(path));

async function policy(status) {
  const now = (await files.storagePolicies()).find(each => each.id === status.storagePolicy);
  return element('p', {}, now ? `${now.name}: ${now.storageTypes.join(', ')}` : 'That of the directory above.');
}

async function summary(path) {
  const sum = await files.summary(path);
  return cards([
    ['Files', number(sum.fileCount)],
    ['Directories', number(sum.directoryCount)],
    ['Size', bytes(sum.length)],
    ['Space of all replicas', bytes(sum.spaceConsumed)],
    ['Quota of names', isQuota(sum.quota) ? `${number(sum.quota)}, ${percent(sum.fileCount + sum.directoryCount, sum.quota)} used` : 'none'],
    ['Quota of space', isQuota(sum.spaceQuota) ? `${bytes(sum.spaceQuota)}, ${percent(sum.spaceConsumed, sum.spaceQuota)} used` : 'none'],
  ]);
}
