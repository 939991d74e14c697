// The keys of a table.

/**
 * Up, down, home and end go from row to row; page up and page down turn pages.
 *
 * @param turn by 1 or -1 page; may give a promise
 */
export function rowKeys(area, body, turn) {
  area.addEventListener('keydown', event => move(event, body, turn));
}

/** What of a row has the focus: its first link or button, or the row. */
function targetOf(row) {
  const link = row.querySelector('a, button');
  if (!link) {
    row.tabIndex = -1;
  }
  return link || row;
}

function move(event, body, turn) {
  const rows = [...body.children];
  const here = rows.findIndex(row => row.contains(document.activeElement));
  const to = {ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: rows.length - 1}[event.key];
  if (event.key === 'PageDown' || event.key === 'PageUp') {
    event.preventDefault();
    Promise.resolve(turn(event.key === 'PageDown' ? 1 : -1)).then(() => {
      if (here >= 0 && body.isConnected && body.firstElementChild) {
        targetOf(body.firstElementChild).focus();
      }
    });
  } else if (to !== undefined && rows[to]) {
    event.preventDefault();
    targetOf(rows[to]).focus();
  }
}
