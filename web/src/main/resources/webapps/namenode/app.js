// The frame of all pages: which one is shown, and when it is read anew.
import {Unanswered, shell} from './api.js';
import {answered, sentences} from './outage.js';
import {decode} from './paths.js';
import {keepPlace} from './place.js';

/** The pages by their names in the address; each is a module with show(path, address), everyMs where it is not the usual, and frame(path), what is there without an answer. */
const PAGES = {
  overview: () => import('./overview.js'),
  history: () => import('./history.js'),
  files: () => import('./files.js'),
  openfiles: () => import('./openfiles.js'),
  quotas: () => import('./quotas.js'),
  datanodes: () => import('./datanodes.js'),
  users: () => import('./users.js'),
  work: () => import('./work.js'),
  store: () => import('./store.js'),
  configuration: () => import('./configuration.js'),
};

/** Those of a NameNode that stands by. */
const STANDBY_PAGES = {overview: () => import('./members.js'), history: PAGES.history};

/** The NameNode makes what it shows every 5 seconds. */
const EVERY_MS = 10000;
const SHELL_MS = 30000;
const main = document.getElementById('main');
const problem = document.getElementById('problem');
const nav = document.getElementById('nav');
let timer = 0;
let turn = 0;
let self = null;
let selfUntil = 0;
let hasFigures = false;

function route() {
  const [, name = 'overview', rest = ''] = location.hash.match(/^#\/(\w+)(.*)$/s) || [];
  const address = rest.split('?')[0];
  return {name: PAGES[name] ? name : 'overview', path: decode(address).replace(/\/+$/, '') || '/', address};
}

/** Of a NameNode that leads asked seldom: when that changes, it does not answer its pages. */
async function whoThisIs(isNew) {
  if (!self || isNew || performance.now() > selfUntil) {
    const led = self?.role === 'active';
    self = await shell();
    selfUntil = performance.now() + (self.role === 'active' ? SHELL_MS : 0);
    document.getElementById('address').textContent = self.address;
    document.getElementById('version').textContent = `Acacia ${self.version}`;
    const role = document.getElementById('role');
    role.textContent = self.role === 'active' ? 'active' : 'stands by';
    role.className = `badge ${self.role === 'active' ? 'good' : 'warn'}`;
    role.hidden = false;
    if (self.role === 'active' && (isNew || !led)) {
      showViewer(self.secure);
    }
  }
  return self;
}

/** Told by WebHDFS; nothing waits for it. */
async function showViewer(isSecure) {
  const place = document.getElementById('viewer');
  if (place.childElementCount === 0) {
    try {
      const [{viewer}, {viewerButton}] = await Promise.all([import('./webhdfs.js'), import('./viewer.js')]);
      place.replaceChildren(viewerButton(await viewer(), isSecure));
    } catch (e) {
      place.replaceChildren(); // the pages that need a user say why there is none
    }
  }
}

function showLinks(name, pages) {
  for (const link of nav.querySelectorAll('a')) {
    const [, target] = link.getAttribute('href').match(/^#\/(\w+)/);
    link.parentElement.hidden = !pages[target];
    if (target === name) {
      link.setAttribute('aria-current', 'page');
    } else {
      link.removeAttribute('aria-current');
    }
  }
  for (const title of nav.querySelectorAll('h2')) {
    title.hidden = !title.nextElementSibling.querySelector('li:not([hidden])');
  }
}

/** Nobody wants what is being read, typed or marked to move. */
function isBusy() {
  const marked = getSelection();
  return document.hidden || document.querySelector('dialog[open], .actions:popover-open')
    || (marked.type === 'Range' && main.contains(marked.anchorNode));
}

async function refresh(isNew) {
  clearTimeout(timer);
  const mine = ++turn;
  const {name, path, address} = route();
  let everyMs = EVERY_MS;
  try {
    PAGES[name]().catch(() => {}); // comes while the NameNode says who it is
    const pages = (await whoThisIs(isNew)).role === 'active' ? PAGES : STANDBY_PAGES;
    const shown = pages[name] ? name : 'overview';
    showLinks(shown, pages);
    const page = await pages[shown]();
    everyMs = page.everyMs ?? EVERY_MS;
    const content = await page.show(path, address);
    if (mine !== turn) {
      return; // the viewer has gone on
    }
    keepPlace(main, isNew, () => main.replaceChildren(...content));
    main.classList.remove('old');
    main.dataset.page = name;
    performance.mark('shown');
    problem.hidden = true;
    hasFigures = true;
    answered();
  } catch (e) {
    const frame = isNew ? await PAGES[name]().then(page => page.frame?.(path), () => {}) : null;
    if (mine !== turn) {
      return;
    }
    selfUntil = 0;
    everyMs ||= EVERY_MS; // so that the viewer sees the answer come
    if (isNew) {
      hasFigures = false;
      showLinks(name, !self || self.role === 'active' ? PAGES : STANDBY_PAGES);
      main.replaceChildren(...(frame || []));
    }
    showFailure(e);
  }
  if (everyMs > 0) {
    timer = setTimeout(tick, everyMs);
  }
}

/** What was shown before stays, but does not look as if it were of now. */
function showFailure(e) {
  main.classList.toggle('old', hasFigures);
  if (e instanceof Unanswered) {
    const role = document.getElementById('role');
    role.textContent = 'no answer';
    role.className = 'badge bad';
  }
  const said = document.createElement('p');
  said.append(...sentences(e, self, hasFigures));
  if (problem.hidden || problem.innerHTML !== said.innerHTML) { // readers say what changes
    problem.replaceChildren(...said.childNodes);
    problem.hidden = false;
  }
}

function tick() {
  if (isBusy()) {
    timer = setTimeout(tick, 1000);
  } else {
    refresh(false);
  }
}

function openMenu(isOpen) {
  nav.classList.toggle('open', isOpen);
  document.getElementById('menu').setAttribute('aria-expanded', String(isOpen));
}

window.addEventListener('hashchange', () => {
  document.title = 'NameNode';
  document.getElementById('notice').hidden = true;
  openMenu(false);
  refresh(true).then(() => main.focus({preventScroll: true}));
});
window.addEventListener('changed', () => refresh(false));
document.getElementById('menu').addEventListener('click', () => openMenu(!nav.classList.contains('open')));
document.querySelector('.skip').addEventListener('click', event => {
  event.preventDefault();
  main.focus();
});
refresh(true);
