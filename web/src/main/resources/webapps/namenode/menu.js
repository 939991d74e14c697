// A button that opens a list of actions.
import {element} from './dom.js';

/**
 * @param face what the button shows; nothing: three dots
 * @param actions each a name and what it does
 */
export function menuButton(label, face, actions) {
  const button = element('button', {type: 'button', class: face ? '' : 'plain', 'aria-haspopup': 'menu', ...(face ? {} : {'aria-label': label}), title: label}, face || '\u22ef');
  button.addEventListener('click', () => open(button, label, actions));
  return button;
}

function open(button, label, actions) {
  const list = element('div', {class: 'actions', popover: 'auto', role: 'menu', 'aria-label': label},
    ...actions.map(([name, does]) => {
      const item = element('button', {type: 'button', role: 'menuitem'}, name);
      item.addEventListener('click', () => {
        list.hidePopover();
        button.focus();
        does();
      });
      return item;
    }));
  document.body.append(list);
  list.showPopover();
  const at = button.getBoundingClientRect();
  list.style.left = `${Math.max(4, Math.min(at.right - list.offsetWidth, innerWidth - list.offsetWidth - 4))}px`;
  list.style.top = `${Math.max(4, Math.min(at.bottom + 2, innerHeight - list.offsetHeight - 4))}px`;
  const items = [...list.children];
  items[0].focus();
  list.addEventListener('keydown', event => {
    const here = items.indexOf(document.activeElement);
    const to = {ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: items.length - 1}[event.key];
    if (to !== undefined) {
      event.preventDefault();
      items[(to + items.length) % items.length].focus();
    }
  });
  list.addEventListener('toggle', event => {
    if (event.newState === 'closed') {
      list.remove();
    }
  });
}
