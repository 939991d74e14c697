// A box for a filter that keeps its text and the focus while a page is read anew.
import {element} from './dom.js';

/** @param go is called with the text */
export function filterBox(name, go) {
  const input = element('input', {type: 'search', id: `filter-${name}`, autocomplete: 'off', spellcheck: 'false'});
  const form = element('form', {role: 'search'},
    element('label', {for: input.id}, 'Filter '), input, ' ', element('button', {}, 'Show'));
  form.addEventListener('submit', event => {
    event.preventDefault();
    go(input.value.trim());
  });
  return {
    /** For the content of the page, with the filter that holds. */
    place(text) {
      if (document.activeElement === input) {
        requestAnimationFrame(() => input.focus({preventScroll: true}));
      } else {
        input.value = text;
      }
      return form;
    },
  };
}

/** The parts of the route behind the name of its page: a part may have slashes, as a path has. */
export const parts = () => location.hash.replace(/^#\/\w+\/?/, '').split('/').map(part => {
  try {
    return decodeURIComponent(part);
  } catch (e) {
    return part;
  }
});

/** The way back. */
export function go(page, ...texts) {
  location.hash = `#/${page}/${texts.map(encodeURIComponent).join('/')}`;
}
