// The DataNodes, sorted, filtered and paged by the NameNode, as there may be thousands; or one of them.
import {ask} from './ask.js';
import {bytes, duration, number, percent} from './format.js';
import {cards, element, table} from './dom.js';
import {link} from './paths.js';
import {pagedTable} from './table.js';

const ROWS = 50;

export async function show(path) {
  return path === '/' ? all() : one(path.slice(1));
}

const KINDS = {'in service': 'good', stale: 'warn', decommissioning: 'warn', 'entering maintenance': 'warn', dead: 'bad'};

const state = node => element('span', {class: KINDS[node.state] || (node.state.endsWith('dead') ? 'bad' : '')}, node.state);

/** The names by which the NameNode sorts. */
const COLUMNS = [
  {name: 'DataNode', kind: 'name', by: 'name', cell: node => element('a', {href: `#/datanodes/${encodeURIComponent(node.name)}`}, node.name)},
  {name: 'State', by: 'state', cell: state},
  {name: 'Rack', by: 'rack', cell: node => node.rack},
  {name: 'Last contact', kind: 'number', by: 'contact', cell: node => ago(node.lastContactMs)},
  {name: 'Full', kind: 'number', by: 'full', cell: node => element('span', {}, bar(node), ` ${percent(node.capacity - node.remaining, node.capacity)}`)},
  {name: 'Used', kind: 'number', by: 'used', cell: node => bytes(node.used)},
  {name: 'Capacity', kind: 'number', by: 'capacity', cell: node => bytes(node.capacity)},
  {name: 'Blocks', kind: 'number', by: 'blocks', cell: node => number(node.blocks)},
  {name: 'Failed volumes', kind: 'number', by: 'failed', cell: node => element('span', {class: node.failedVolumes > 0 ? 'bad' : ''},
    node.failedVolumes > 0 ? `${number(node.failedVolumes)} of ${number(node.volumes)}` : number(0))},
  {name: 'Version', by: 'version', cell: node => node.version || ''},
].map(column => ({...column, value: column.cell}));

const ago = ms => ms > 1e12 ? 'never' : ms < 10000 ? `${Math.round(ms / 1000)} s` : duration(ms);

function bar(node) {
  const width = part => `width:${node.capacity > 0 ? 100 * part / node.capacity : 0}%`;
  return element('span', {class: 'bar small', 'aria-hidden': 'true'}, element('span', {style: width(node.used)}),
    element('span', {class: 'other', style: width(Math.max(0, node.capacity - node.remaining - node.used))}));
}

async function all() {
  let last;
  const shown = await pagedTable('datanodes', 'DataNodes', COLUMNS, async set => {
    const column = COLUMNS.find(each => each.name === set.sort);
    last = await ask('datanodes', {sort: column ? column.by : '', down: set.down, filter: set.filter, from: set.page * ROWS, limit: ROWS});
    return {rows: last.nodes, found: last.found, all: last.all, page: last.found > 0 ? Math.min(set.page, Math.ceil(last.found / ROWS) - 1) : 0};
  }, {pageRows: ROWS, empty: 'No DataNode has registered.'});
  return [
    element('h2', {}, `DataNodes (${number(last.all)})`),
    element('p', {id: 'states'}, Object.entries(last.states).map(([words, count]) => `${number(count)} ${words}`).join(', ')),
    shown,
  ];
}

async function one(name) {
  const node = await ask('datanodes', {node: name});
  const block = node.waitsForBlock > 0 ? await fileOf(node.waitsForBlock) : null;
  document.title = `${name} - NameNode`;
  return [
    element('h2', {}, name),
    element('p', {}, element('a', {href: '#/datanodes'}, 'All DataNodes'), ' ', ...ownPages(node)),
    cards([
      ['State', state(node)],
      ['Rack', node.rack],
      ['Address', node.address],
      ['Last contact', `${ago(node.lastContactMs)}${node.lastContactMs > 1e12 ? '' : ' ago'}`],
      ['Version', node.version || 'not known'],
      ['Blocks', number(node.blocks)],
      ['Capacity', bytes(node.capacity)],
      ['Used', `${bytes(node.used)} (${percent(node.used, node.capacity)})`],
      ['Remaining', `${bytes(node.remaining)} (${percent(node.remaining, node.capacity)})`],
      ['Transfer threads (xceivers)', number(node.threads)],
    ]),
    element('p', {class: 'hint'}, `Identity: ${node.uuid}`),
    ...leaving(node, block),
    element('h2', {}, `Volumes (${node.storages.length})`),
    table('Volumes', [['Volume', 'name'], ['Type'], ['State'], ['Used', 'number'], ['Remaining', 'number'], ['Capacity', 'number']],
      node.storages.map(each => [each.id, each.type, each.failed ? element('span', {class: 'bad'}, 'failed') : each.state === 'NORMAL' ? 'in use' : 'read only',
        bytes(each.used), bytes(each.remaining), bytes(each.capacity)])),
  ];
}

/** Its path and whether it is open; null where the viewer may not know that, or nobody does now. */
async function fileOf(id) {
  try {
    return await ask('block', {id});
  } catch (e) {
    return null;
  }
}

/** What a decommission or a maintenance waits for. Blocks are looked through one by one, up to the first that is not elsewhere. */
function leaving(node, block) {
  if (node.blocksLookedThrough === undefined) {
    return [];
  }
  const done = Math.min(node.blocksLookedThrough, node.blocks);
  return [
    element('h2', {}, node.state.startsWith('decommissioning') ? 'Decommission' : 'Maintenance'),
    element('p', {id: 'leaving', class: 'warn'}, `${number(done)} of about ${number(node.blocks)} blocks are looked through:`
      + ' they have enough replicas elsewhere, or are needed no more.', ...(node.waitsForBlock > 0 ? waits(node.waitsForBlock, block) : [])),
    element('progress', {max: Math.max(1, node.blocks), value: done, 'aria-label': 'Blocks looked through'}),
  ];
}

function waits(id, block) {
  return [` The next one, blk_${id}`,
    ...(block ? [' of ', element('a', {href: link(block.path)}, block.path), block.open ? ', which is being written,' : ''] : []),
    ' has too few. The look goes on when it has enough; of the blocks behind it many may be copied already.'];
}

/** The DataNode's own pages. */
function ownPages(node) {
  const isTls = location.protocol === 'https:';
  const address = isTls ? node.infoSecureAddress : node.infoAddress;
  return /^[\w.:[\]-]+$/.test(address || '') && !/:0$/.test(address)
    ? [element('a', {href: `${location.protocol}//${address}/`}, 'Its own pages')] : [];
}
