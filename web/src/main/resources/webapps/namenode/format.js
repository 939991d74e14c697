// Numbers and times for people.

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

export function bytes(count) {
  let unit = 0;
  let value = Number(count);
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(value < 10 ? 2 : 1)} ${UNITS[unit]}`;
}

/** The largest number for HDFS; the one above it stands for none. */
const LARGEST = 2n ** 63n - 2n;

/** A number of bytes, such as 10, 500 GiB or 2t; a BigInt, as HDFS has larger ones than a browser's numbers can tell apart. */
export function parseBytes(text) {
  const [, digits, unit] = text.trim().match(/^(\d+(?:\.\d+)?)\s*(?:([kmgtpe])i?)?b?$/i) || [];
  if (digits === undefined) {
    throw new Error(`${text} is no size.`);
  }
  const power = 'kmgtpe'.indexOf((unit || '').toLowerCase() || '-') + 1;
  const count = digits.includes('.') ? BigInt(Math.round(Number(digits) * 1024 ** power)) : BigInt(digits) * 1024n ** BigInt(power);
  if (count > LARGEST) {
    throw new Error(`${text} is more than HDFS counts.`);
  }
  return count;
}

/** What a server does not say is not known. */
export function number(value) {
  return value === undefined || value === null ? 'not known' : Number(value).toLocaleString('en-US');
}

/** Numbers with three digits that count. */
export function short(value) {
  return value === null || value === undefined ? 'none'
    : Math.abs(value) >= 100 || Number.isInteger(value) ? Math.round(value).toLocaleString('en-US')
      : String(Number(value.toPrecision(3)));
}

export function percent(part, whole) {
  return whole > 0 ? `${(100 * part / whole).toFixed(1)} %` : '0 %';
}

export function time(ms) {
  return new Date(Number(ms)).toISOString().replace('T', ' ').slice(0, 19);
}

/** Milliseconds. */
export function duration(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (ms < 10000) {
    return `${Math.round(ms)} ms`;
  }
  const days = Math.floor(seconds / 86400);
  const hours = Math.floor(seconds % 86400 / 3600);
  const minutes = Math.floor(seconds % 3600 / 60);
  return days > 0 ? `${days} d ${hours} h` : hours > 0 ? `${hours} h ${minutes} min`
    : minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

/** A permission of WebHDFS, which leaves zeros away at its beginning; with the sticky bit it has four digits. */
export const octal = permission => permission.padStart(3, '0');

/** The way ls shows rights, from octal digits. */
export function rights(type, permission, hasAcl) {
  const bits = parseInt(permission, 8);
  const letters = [...'rwxrwxrwx'].map((letter, i) => bits & (256 >> i) ? letter : '-');
  if (bits & 0o1000) {
    letters[8] = bits & 1 ? 't' : 'T';
  }
  const kind = type === 'DIRECTORY' ? 'd' : type === 'SYMLINK' ? 'l' : '-';
  return kind + letters.join('') + (hasAcl ? '+' : '');
}
