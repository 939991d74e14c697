// Asks the viewer, and tells what came of it.
import {element} from './dom.js';

/**
 * Asks for values and does something with them; stays open, with the reason, when that fails.
 *
 * @param title says what is about to happen
 * @param fields each {name, label, type, value, hint, options, isRequired}: type is that of an input, 'textarea', 'select'
 *     with options [value, text], 'checkbox', 'name' for names and paths, or 'text' where there is none; typed is called
 *     with the form when the viewer types; or an element, which is shown
 * @param act {name, does: async of the values by name and an AbortSignal, isDangerous, isStoppable: a first Cancel ends what is
 *     under way, and the dialog stays; a second one, and the first where this is not said, closes the dialog}
 * @return a promise of true once it is done, of false where the viewer leaves
 */
export function ask(title, fields, act) {
  const inputs = new Map();
  const problem = element('p', {class: 'bad', role: 'alert', hidden: ''});
  const go = element('button', {type: 'submit', class: act.isDangerous ? 'danger' : 'main'}, act.name);
  const leave = element('button', {type: 'button'}, 'Cancel');
  const form = element('form', {method: 'dialog'}, element('h2', {id: 'dialog-title'}, title),
    ...fields.map(field => field instanceof Node ? field : made(field, inputs)), problem,
    element('div', {class: 'ends'}, leave, go));
  const dialog = element('dialog', {'aria-labelledby': 'dialog-title'}, form);
  const opener = document.activeElement;
  document.body.append(dialog);
  dialog.showModal();
  return new Promise(resolve => {
    let isDone = false;
    let underWay = null;
    const stopOrLeave = event => {
      if (act.isStoppable && underWay && !underWay.signal.aborted) {
        event.preventDefault();
        underWay.abort();
      } else {
        dialog.close();
      }
    };
    leave.addEventListener('click', stopOrLeave);
    dialog.addEventListener('cancel', event => event.target === dialog && stopOrLeave(event));
    dialog.addEventListener('close', () => {
      underWay?.abort(); // a browser closes a dialog at the second escape, whatever it is told
      dialog.remove();
      if (opener && opener.isConnected) {
        opener.focus();
      }
      resolve(isDone);
    });
    form.addEventListener('submit', async event => {
      event.preventDefault();
      if (underWay) {
        return; // the Enter key is pressed once more
      }
      go.disabled = true;
      problem.hidden = true;
      underWay = new AbortController();
      try {
        await act.does(Object.fromEntries([...inputs].map(([name, input]) => [name, valueOf(input)])), underWay.signal);
        isDone = true;
        dialog.close();
      } catch (e) {
        problem.textContent = e.message;
        problem.hidden = false;
        if (!dialog.isConnected) {
          notice(e.message, true);
        }
      }
      underWay = null;
      go.disabled = false;
    });
  });
}

function made(field, inputs) {
  const input = inputOf(field);
  inputs.set(field.name, input);
  if (field.typed) {
    input.addEventListener('input', () => field.typed(input.form));
  }
  const hint = field.hint ? [element('small', {}, field.hint)] : [];
  return field.type === 'checkbox'
    ? element('div', {class: 'field'}, element('label', {class: 'check'}, input, field.label), ...hint)
    : element('label', {class: 'field'}, element('span', {}, field.label), input, ...hint);
}

function inputOf({name, type = 'text', value = '', options = [], isRequired = false, isMany = false}) {
  const attributes = {name, ...(isRequired ? {required: ''} : {})};
  if (type === 'select') {
    const select = element('select', attributes,
      ...options.map(([each, text = each]) => element('option', {value: each}, text)));
    select.value = value;
    return select;
  }
  if (type === 'textarea') {
    const area = element('textarea', {...attributes, rows: '6', spellcheck: 'false'});
    area.value = value;
    return area;
  }
  if (type === 'name') {
    return nameBox(attributes, value);
  }
  const input = element('input', {...attributes, type, autocomplete: 'off', ...(isMany ? {multiple: ''} : {})});
  if (type === 'checkbox') {
    input.checked = value === true;
  } else if (type !== 'file') {
    input.value = value;
  }
  return input;
}

/** A line for a name or a path, in which a line feed is a character as any other. */
export function nameBox(attributes, value) {
  const box = element('textarea', {...attributes, class: 'line', rows: '1', wrap: 'off', spellcheck: 'false', autocomplete: 'off'});
  box.value = value;
  box.addEventListener('keydown', event => {
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      box.form.requestSubmit();
    }
  });
  return box;
}

const valueOf = input => input.type === 'checkbox' ? input.checked : input.type === 'file' ? [...input.files] : input.value;

function notice(text, isProblem) {
  const place = document.getElementById('notice');
  place.textContent = text;
  place.classList.toggle('bad', isProblem);
  place.hidden = false;
}

/** What was done, where everybody finds it; and the page is read anew. */
export function done(text) {
  notice(text, false);
  window.dispatchEvent(new Event('changed'));
}

/** What is needed for a dialog; nothing, after the viewer was told why it cannot be had. */
export async function orTell(answer) {
  try {
    return await answer;
  } catch (e) {
    const problem = document.getElementById('problem');
    problem.textContent = e.message;
    problem.hidden = false;
    return undefined;
  }
}
