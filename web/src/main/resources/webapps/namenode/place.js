// What the viewer has set stays when a page is read anew: the focus, what is open, how far a table is moved.

/** @param change of what is below the root */
export function keepPlace(root, isNew, change) {
  if (isNew) {
    change();
    window.scrollTo(0, 0);
    return;
  }
  const focused = root.contains(document.activeElement) ? document.activeElement : null;
  const name = focused && nameOf(focused);
  const caret = focused && caretOf(focused);
  const open = new Set([...root.querySelectorAll('details[open]')].map(nameOf));
  const moved = new Map([...root.querySelectorAll('.scroll')].map(area => [nameOf(area), area.scrollLeft]));
  change();
  for (const details of root.querySelectorAll('details')) {
    details.open = details.open || open.has(nameOf(details));
  }
  for (const area of root.querySelectorAll('.scroll')) {
    area.scrollLeft = moved.get(nameOf(area)) || 0;
  }
  if (name && !root.contains(document.activeElement)) {
    const again = [...root.querySelectorAll(focused.tagName)].find(each => nameOf(each) === name);
    if (again) {
      again.focus({preventScroll: true});
      if (caret !== null && again.setSelectionRange) {
        again.setSelectionRange(caret, caret);
      }
    }
  }
}

/** What tells an element from others of its kind. */
function nameOf(node) {
  const summary = node.querySelector(':scope > summary');
  return node.id || node.getAttribute('aria-label') || node.getAttribute('href') || (summary ? nameOf(summary) : node.textContent);
}

function caretOf(node) {
  try {
    return node.selectionStart;
  } catch (e) {
    return null; // it has none
  }
}
