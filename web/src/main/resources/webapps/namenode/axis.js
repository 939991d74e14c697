// Where the labels of a chart's axes are.
import {short} from './format.js';

const MINUTE = 60000;
const TIME_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360].map(minutes => minutes * MINUTE);
const MOST_TIMES = 6;
const LEAST_VALUES = 3;

/** Values from 0 to the first round one that is not below the highest. */
export function valueTicks(most) {
  const rough = most / LEAST_VALUES;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find(each => each * power >= rough);
  return Array.from({length: Math.ceil(most / step - 1e-9) + 1}, (none, i) => i * step);
}

/** Round times of the viewer's clock. */
export function timeTicks(fromMs, toMs) {
  const step = TIME_STEPS.find(each => (toMs - fromMs) / each <= MOST_TIMES) || TIME_STEPS[TIME_STEPS.length - 1];
  const zone = new Date(toMs).getTimezoneOffset() * MINUTE;
  const first = Math.ceil((fromMs - zone) / step) * step + zone;
  return Array.from({length: Math.max(0, Math.floor((toMs - first) / step) + 1)}, (none, i) => first + i * step);
}

/** @param top the highest one beside it */
export const valueLabel = (value, top) => top >= 10000
  ? value.toLocaleString('en-US', {notation: 'compact', maximumSignificantDigits: 3}) : short(value);

const clock = (ms, more) => new Date(ms).toLocaleTimeString('en-GB', {hour: '2-digit', minute: '2-digit', ...more});

export const timeLabel = ms => clock(ms, {});

/** With seconds and the viewer's time zone. */
export const exactTime = ms => clock(ms, {second: '2-digit', timeZoneName: 'short'});
