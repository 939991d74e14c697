// What the docs mark inside a line.
import {element} from './dom.js';

/** Code and links of a line; a link to another page of the docs names it. */
export function inline(text) {
  return text.split(/(`[^`]+`|\[[^\]]+\]\([^)]+\))/).map(piece => {
    const link = piece.match(/^\[([^\]]+)\]\(([^)]+)\)$/);
    if (link) {
      return link[2].startsWith('#') ? link[1] : element('em', {}, link[1] === link[2] ? `docs/${link[1]}`
        : `${link[1]} (docs/${link[2]})`);
    }
    return piece.startsWith('`') ? element('code', {}, piece.slice(1, -1)) : piece;
  });
}
