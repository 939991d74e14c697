// Lines over time, with their figures as a table for those who do not see them.
import {timeLabel, timeTicks, valueLabel, valueTicks} from './axis.js';
import {element, svg, table} from './dom.js';
import {short} from './format.js';
import {reading} from './reading.js';

const WIDTH = 600;
const HEIGHT = 120;
const EDGE = 3;
const COLOURS = ['#3b82c4', '#d9480f', '#2f9e44', '#9c36b5', '#e8590c', '#0c8599', '#c2255c', '#66a80f', '#868e96'];
const DASHES = ['', '6 3', '2 2', '8 3 2 3', '4 4', '1 3', '10 4', '6 2 2 2', '3 6'];

/** The step that is under way has no value yet. */
const latest = values => known(values.slice(-2)).pop();

const known = values => values.filter(value => value !== null);

const height = share => HEIGHT - EDGE - share * (HEIGHT - 2 * EDGE);

/** Stretches without a gap, as points. */
function stretches(values, top) {
  const lines = [];
  let line = [];
  values.forEach((value, i) => {
    if (value === null) {
      lines.push(line);
      line = [];
    } else {
      line.push(`${(i * WIDTH / (values.length - 1)).toFixed(1)},${height(value / top).toFixed(1)}`);
    }
  });
  return [...lines, line].filter(each => each.length > 0)
    .map(each => each.length === 1 ? `${each[0]} ${each[0]}` : each.join(' '));
}

function stroke(i) {
  return `fill:none;stroke:${COLOURS[i % COLOURS.length]};stroke-width:2;stroke-linecap:round;`
    + `stroke-dasharray:${DASHES[i % DASHES.length] || 'none'};vector-effect:non-scaling-stroke`;
}

function legend(lines) {
  return element('ul', {class: 'legend', style: 'list-style:none;padding:0;margin:.25rem 0;display:flex;flex-wrap:wrap;gap:.1rem 1rem'},
    ...lines.map(([name, values], i) => element('li', {},
      svg('svg', {width: 24, height: 8, 'aria-hidden': 'true'},
        svg('line', {x1: 0, y1: 4, x2: 24, y2: 4, style: stroke(i)})),
      ` ${name}: ${short(latest(values))}`)));
}

function figures(title, lines, source) {
  return element('details', {},
    element('summary', {'aria-label': `Figures: ${title}, ${source}`}, 'Figures'),
    table(title, [['Line', 'name'], ['Now', 'number'], ['Mean', 'number'], ['Lowest', 'number'], ['Highest', 'number']],
      lines.map(([name, values]) => {
        const all = known(values);
        return [name, short(latest(values)),
          ...(all.length === 0 ? ['', '', '']
            : [short(all.reduce((sum, value) => sum + value, 0) / all.length), short(Math.min(...all)),
              short(Math.max(...all))])];
      })));
}

/**
 * @param lines each a name and its numbers, the oldest first; null is a gap
 * @param time {lastMs, stepMs}: when the step of the last number began, and how long steps are
 * @param source whose figures these are
 */
export function chart(title, unit, lines, time, source) {
  const there = lines.filter(([, values]) => values && known(values).length > 0);
  if (there.length === 0) {
    return null;
  }
  const most = Math.max(...there.flatMap(([, values]) => known(values)), 0);
  const values = valueTicks(most || 1);
  const top = values[values.length - 1];
  const steps = there[0][1].length - 1;
  const fromMs = time.lastMs - steps * time.stepMs;
  const share = ms => (ms - fromMs) / (time.lastMs - fromMs);
  const times = timeTicks(fromMs, time.lastMs).filter(ms => share(ms) > 0.04 && share(ms) < 0.96);
  const {cursor, handle, text} = reading(`${title} of ${source}`, there, ms => share(ms) * WIDTH, {fromMs, stepMs: time.stepMs}, HEIGHT);
  const grid = (x1, y1, x2, y2) => svg('line', {class: 'grid', x1, y1, x2, y2});
  return element('figure', {class: 'chart', style: 'margin:0 0 1rem'},
    element('figcaption', {}, element('strong', {}, title), ` (${unit}), up to ${short(most)}`),
    element('div', {class: 'axes'},
      element('div', {class: 'values', 'aria-hidden': 'true'}, ...values.map(value =>
        element('span', {style: `top:${100 * height(value / top) / HEIGHT}%`}, valueLabel(value, top)))),
      element('div', {class: 'area'},
        svg('svg', {class: 'plot', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img',
          'aria-label': `${title}, ${unit}: ${there.map(([name, all]) =>
            `${name} ${short(latest(all))} now, at most ${short(Math.max(...known(all)))}`).join('; ')}`},
        ...values.map(value => grid(0, height(value / top), WIDTH, height(value / top))),
        ...times.map(ms => grid(share(ms) * WIDTH, 0, share(ms) * WIDTH, HEIGHT)),
        ...there.flatMap(([, all], i) => stretches(all, top).map(points => svg('polyline', {points, style: stroke(i)}))),
        cursor),
        handle),
      element('div', {class: 'times', 'aria-hidden': 'true'}, ...times.map(ms =>
        element('span', {style: `left:${100 * share(ms)}%`}, timeLabel(ms))))),
    text, legend(there), figures(title, there, source));
}
