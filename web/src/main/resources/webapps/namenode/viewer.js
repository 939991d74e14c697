// Who looks at the pages: with security the user of the ticket, else the name that the viewer gives.
import {ask} from './dialog.js';
import {element} from './dom.js';

const KEY = 'acacia.user';

/** Empty: the NameNode's own name for those that name nobody. */
export const userName = () => sessionStorage.getItem(KEY) || '';

/** @param name as the NameNode knows the viewer */
export function viewerButton(name, isSecure) {
  if (isSecure) {
    return element('span', {title: 'By your ticket'}, name);
  }
  const button = element('button', {type: 'button', class: 'plain', title: 'For whom the pages ask'}, `User: ${name}`);
  button.addEventListener('click', change);
  return button;
}

function change() {
  return ask('For whom the pages ask', [{name: 'name', label: 'User', value: userName(),
    hint: 'Security is off, so the NameNode believes the name. Empty: the user for those that name none.'}], {
    name: 'Use',
    async does({name}) {
      sessionStorage.setItem(KEY, name.trim());
      location.reload();
    },
  });
}
