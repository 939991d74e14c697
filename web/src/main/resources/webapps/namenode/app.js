// Which page is shown, and when it is read anew.
import * as overview from './overview.js';
import * as datanodes from './datanodes.js';
import * as files from './files.js';
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
  const {name, page, path} = route();
  for (const link of document.querySelectorAll('nav a')) {
    if (link.getAttribute('href').startsWith(`#/${name}`)) {
      link.setAttribute('aria-current', 'page');
    } else {
      link.removeAttribute('aria-current');
    }
  }
  try {
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
beans('NameNodeStatus').then(all => {
  document.getElementById('address').textContent = all.NameNodeStatus.HostAndPort;
}).catch(() => {}); // the page itself says what is wrong
refresh(true);
