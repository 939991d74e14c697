// Which page is shown, and when it is read anew.
import * as overview from './overview.js';
import * as datanodes from './datanodes.js';
import * as files from './files.js';
import * as members from './members.js';
import * as store from './store.js';
import * as work from './work.js';
import {beans} from './api.js';

const PAGES = {overview, datanodes, files, store, work};
const main = document.getElementById('main');
const problem = document.getElementById('problem');
let timer = 0;
let turn = 0;

function route() {
  const [, name = 'overview', path = ''] = location.hash.match(/^#\/(\w+)(.*)$/) || [];
  const known = PAGES[name] ? name : 'overview';
  let decoded = '/';
  try {
    decoded = decodeURIComponent(path).replace(/\/+$/, '') || '/';
  } catch (e) {
    decoded = path || '/';
  }
  return {name: known, page: PAGES[known], path: decoded};
}

async function refresh(isNew) {
  clearTimeout(timer);
  const mine = ++turn;
  const {name, page: wanted, path} = route();
  let page = wanted;
  for (const link of document.querySelectorAll('nav a')) {
    if (link.getAttribute('href').startsWith(`#/${name}`)) {
      link.setAttribute('aria-current', 'page');
    } else {
      link.removeAttribute('aria-current');
    }
  }
  try {
    const self = (await beans('NameNodeStatus')).NameNodeStatus;
    const standsBy = self.State === 'standby';
    page = standsBy ? members : wanted;
    document.querySelector('nav').hidden = standsBy;
    document.getElementById('address').textContent = self.HostAndPort;
    const content = await page.show(path);
    if (mine !== turn) {
      return; // somebody has gone on
    }
    main.replaceChildren(...content);
    main.dataset.page = name;
    problem.hidden = true;
  } catch (e) {
    if (mine !== turn) {
      return;
    }
    problem.textContent = e.message;
    problem.hidden = false;
    if (isNew) {
      main.replaceChildren();
    }
  }
  if (page.everyMs > 0) {
    timer = setTimeout(() => refresh(false), page.everyMs);
  }
}

window.addEventListener('hashchange', () => {
  document.title = 'NameNode';
  refresh(true).then(() => main.focus({preventScroll: true}));
});
document.querySelector('.skip').addEventListener('click', event => {
  event.preventDefault();
  main.focus();
});
refresh(true);
