// The extended attributes of a file or a directory, with values as Hadoop's getfattr and setfattr write them.
import {ask, done, orTell} from './dialog.js';
import {element} from './dom.js';
import {removeXattr, setXattr, xattrs} from './webhdfs.js';
import {nameOf} from './paths.js';

/** What a line for text does not hold or show. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\uFEFF]/u;

/** Text in quotes, and what is none as 0x and hexadecimal digits. */
export function shown(value) {
  try {
    const text = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(value);
    if (!UNSEEN.test(text)) {
      return `"${text}"`;
    }
  } catch (e) {
    // not UTF-8
  }
  return `0x${[...value].map(byte => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** What is wrong with a value that the viewer gives; nothing where it is right. */
export function problemOfValue(text) {
  return /^0x/i.test(text) && !/^0x([\da-f]{2})*$/i.test(text) ? 'Behind 0x an even number of hexadecimal digits is needed.'
    : /^0s/i.test(text) && !/^0s([a-z\d+/]{4})*([a-z\d+/]{2,3}=*)?$/i.test(text) ? 'Behind 0s Base64 is needed.' : '';
}

export async function xattrDialog(path) {
  const now = await orTell(xattrs(path));
  if (now === undefined) {
    return false;
  }
  const field = (form, name) => form.elements.namedItem(name);
  const prefill = form => {
    const known = now.find(each => each.name === field(form, 'name').value);
    if (known) {
      field(form, 'value').value = shown(known.value);
    }
  };
  const change = (name, form) => {
    field(form, 'name').value = name;
    prefill(form);
    field(form, 'value').focus();
  };
  return ask(`Extended attributes of ${nameOf(path) || path}`, [
    list(now, change),
    {name: 'name', label: 'Name', value: 'user.', hint: 'Begins with user. or trusted., for instance user.origin.', typed: prefill},
    {name: 'value', label: 'Value', hint: 'Text, which may stand in quotes, 0x and hexadecimal digits, or 0s and Base64.'},
    ...(now.length > 0 ? [{name: 'isGone', label: 'Remove the attribute of this name', type: 'checkbox'}] : []),
  ], {
    name: 'Set',
    async does({name, value, isGone = false}) {
      if (isGone) {
        await removeXattr(path, name);
      } else {
        const problem = problemOfValue(value);
        if (problem) {
          throw new Error(problem);
        }
        await setXattr(path, name, value === '' ? '""' : value, now.some(each => each.name === name) ? 'REPLACE' : 'CREATE');
      }
      done(`${path}: ${name} is ${isGone ? 'removed' : 'set'}.`);
    },
  });
}

/** @param change of a name and a form; nothing where they are only shown */
export function list(attributes, change) {
  const button = name => element('button', {type: 'button', class: 'plain', 'aria-label': `Change ${name}`,
    onclick: event => change(name, event.target.form)}, 'Change');
  return attributes.length === 0 ? element('p', {class: 'dim'}, 'There are none.')
    : element('ul', {}, ...attributes.map(each => element('li', {}, element('code', {}, each.name), ` = ${shown(each.value)} `,
      ...(change ? [button(each.name)] : []))));
}
