// ACLs as lines of text, with the owner, the group, others and the mask among them.
import {octal} from './format.js';
import {acl} from './webhdfs.js';

const bits = digit => ['r', 'w', 'x'].map((letter, i) => digit & (4 >> i) ? letter : '-').join('');

export async function aclText(path) {
  const now = await acl(path);
  const [user, group, other] = octal(now.permission).slice(-3).split('').map(Number);
  const isDefault = entry => entry.startsWith('default:');
  const access = now.entries.filter(entry => !isDefault(entry));
  return [
    `user::${bits(user)}`,
    ...access.filter(entry => !/^(group|mask|other)::/.test(entry)),
    access.find(entry => entry.startsWith('group::')) || `group::${bits(group)}`,
    ...(access.length > 0 ? [`mask::${bits(group)}`] : []),
    `other::${bits(other)}`,
    ...now.entries.filter(isDefault),
  ].join('\n');
}

export const aclSpec = text => text.split(/[\n,]/).map(line => line.trim()).filter(line => line !== '').join(',');
