// Paths of files, whatever their names.

/** Each part of a path as a part of a URL. */
export const encode = path => path.split('/').map(encodeURIComponent).join('/');

/** What a part of a URL says; itself where it was written by hand and is no part of one. */
export function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch (e) {
    return text;
  }
}

/** Where the page of a path is. */
export const link = path => `#/files${encode(path)}`;

export const join = (folder, name) => (folder === '/' ? '' : folder) + '/' + name;

export const parent = path => path.slice(0, path.lastIndexOf('/')) || '/';

export const nameOf = path => path.slice(path.lastIndexOf('/') + 1);

/** Begins with a slash, and ends with none. */
export const absolute = text => '/' + text.replace(/^\/+|\/+$/g, '');

/** What a name cannot be; nothing where it can. */
export function problemOf(name) {
  return name === '' ? 'A name is needed.' : name.includes('/') ? 'A name has no slash.'
    : name === '.' || name === '..' ? 'This is not a name.' : '';
}

/** Text that ends before all names that begin with the given one, and behind those before. */
export function before(prefix) {
  const points = [...prefix];
  const last = points.pop().codePointAt(0) - 1;
  return points.join('') + (last <= 0 ? '' : String.fromCodePoint(last >= 0xd800 && last <= 0xdfff ? 0xd7ff : last) + '\u{10ffff}');
}
