// What the frame says while the NameNode does not answer.
import {Unanswered} from './api.js';
import {element} from './dom.js';
import {time} from './format.js';

/** When figures came last, and since when there is no answer; 0: none came, or the last one is there. */
let shownMs = 0;
let silentMs = 0;

const clock = ms => `${time(ms).slice(11)} UTC`;

export function answered() {
  shownMs = Date.now();
  silentMs = 0;
}

/**
 * @param self what the NameNode has said of itself; null: nothing yet
 * @param hasFigures whether those that came last are still there
 */
export function sentences(problem, self, hasFigures) {
  const figures = hasFigures ? ` The figures are of ${clock(shownMs)}.` : '';
  if (!(problem instanceof Unanswered)) {
    silentMs = 0;
    return [`${problem.message}${figures}`];
  }
  silentMs = silentMs || Date.now();
  const name = self ? self.address : location.host;
  return [problem.said === '' ? `NameNode ${name} has not answered since ${clock(silentMs)}.`
    : `NameNode ${name}, since ${clock(silentMs)}: ${problem.said}`, figures, ...others(self)];
}

function others(self) {
  const pages = Object.entries(self?.others || {});
  return pages.length === 0 ? []
    : [' Other NameNodes of this cluster: ', ...pages.flatMap(([name, page], i) => [i > 0 ? ', ' : '',
      element('a', {href: page + location.hash}, name)]), '.'];
}
