// What a chart's lines say at one time, which the pointer or arrow keys choose.
import {exactTime} from './axis.js';
import {element, svg} from './dom.js';
import {short} from './format.js';

const FAR = 10;

/** The time that the keys have chosen in a chart, by its label, as charts are made anew while they are read. */
const chosen = new Map();

/**
 * @param label tells the chart from others
 * @param lines each a name and its numbers
 * @param place where a time is in the plot
 * @param steps {fromMs, stepMs}
 * @return {cursor: of the plot, handle: lies over the plot, text: the reading}
 */
export function reading(label, lines, place, {fromMs, stepMs}, height) {
  const last = lines[0][1].length - 1;
  const cursor = svg('line', {class: 'cursor', y1: 0, y2: height, visibility: 'hidden'});
  const text = element('p', {class: 'reading', 'aria-hidden': 'true'}, '\u00a0');
  const handle = element('div', {class: 'handle', tabindex: '0', role: 'slider', 'aria-label': `Figures at a time: ${label}`,
    'aria-valuemin': '0', 'aria-valuemax': last});
  let at = last;

  function show(step) {
    const ms = fromMs + step * stepMs;
    const words = `${exactTime(ms)}: ${lines.map(([name, values]) => `${name} ${short(values[step])}`).join(', ')}`;
    cursor.setAttribute('x1', place(ms));
    cursor.setAttribute('x2', place(ms));
    cursor.setAttribute('visibility', 'visible');
    text.textContent = words;
    return words;
  }

  function choose(step) {
    at = Math.max(0, Math.min(last, step));
    handle.setAttribute('aria-valuenow', at);
    handle.setAttribute('aria-valuetext', show(at));
    if (at === last) {
      chosen.delete(label); // it goes on with the time
    } else {
      chosen.set(label, fromMs + at * stepMs);
    }
  }

  function hide() {
    cursor.setAttribute('visibility', 'hidden');
    text.textContent = '\u00a0';
  }

  choose(chosen.has(label) ? Math.round((chosen.get(label) - fromMs) / stepMs) : last);
  hide();
  handle.addEventListener('focus', () => choose(at));
  handle.addEventListener('blur', hide);
  handle.addEventListener('keydown', event => {
    const to = {ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, PageDown: at - FAR, PageUp: at + FAR,
      Home: 0, End: last}[event.key];
    if (to !== undefined) {
      event.preventDefault();
      choose(to);
    }
  });
  handle.addEventListener('pointermove', event => {
    const {left, width} = handle.getBoundingClientRect();
    show(Math.max(0, Math.min(last, Math.round((event.clientX - left) / width * last))));
  });
  handle.addEventListener('pointerleave', () => document.activeElement === handle ? choose(at) : hide());
  return {cursor, handle, text};
}
