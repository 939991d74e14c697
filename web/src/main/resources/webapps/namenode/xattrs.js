// The extended attributes of a file or a directory.
import {ask, done} from './dialog.js';
import {element} from './dom.js';
import {removeXattr, setXattr, xattrs} from './webhdfs.js';
import {nameOf} from './paths.js';

export async function xattrDialog(path) {
  const now = await xattrs(path);
  return ask(`Extended attributes of ${nameOf(path) || path}`, [
    list(now),
    {name: 'name', label: 'Name', value: 'user.', hint: 'Begins with user. or trusted., for instance user.origin.'},
    {name: 'value', label: 'Value'},
    ...(now.length > 0 ? [{name: 'isGone', label: 'Remove the attribute of this name', type: 'checkbox'}] : []),
  ], {
    name: 'Set',
    async does({name, value, isGone = false}) {
      if (isGone) {
        await removeXattr(path, name);
      } else {
        await setXattr(path, name, value, now.some(each => each.name === name) ? 'REPLACE' : 'CREATE');
      }
      done(`${path}: ${name} is ${isGone ? 'removed' : 'set'}.`);
    },
  });
}

export function list(attributes) {
  return attributes.length === 0 ? element('p', {class: 'dim'}, 'There are none.')
    : element('ul', {}, ...attributes.map(each => element('li', {}, element('code', {}, each.name), ` = ${each.value}`)));
}
