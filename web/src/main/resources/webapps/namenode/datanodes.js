import {beans} from './api.js';
import {bytes, number, percent} from './format.js';
import {element, table} from './dom.js';

export const everyMs = 5000;

export async function show() {
  const info = (await beans('NameNodeInfo')).NameNodeInfo;
  const live = Object.entries(JSON.parse(info.LiveNodes));
  const dead = Object.entries(JSON.parse(info.DeadNodes));
  return [
    element('h2', {}, `Live DataNodes (${live.length})`),
    table('Live DataNodes',
      [['DataNode', 'name'], ['Rack'], ['State'], ['Last contact', 'number'], ['Used', 'number'],
        ['Capacity', 'number'], ['Full', 'number'], ['Blocks', 'number'], ['Failed volumes', 'number'],
        ['Version']],
      live.map(([name, node]) => [page(name, node), node.location, node.adminState,
        `${node.lastContact} s`, bytes(node.used), bytes(node.capacity),
        percent(node.used, node.capacity), number(node.numBlocks), number(node.volfails), node.version])),
    element('h2', {}, `Dead DataNodes (${dead.length})`),
    table('Dead DataNodes',
      [['DataNode', 'name'], ['Rack'], ['State'], ['Last contact', 'number']],
      dead.map(([name, node]) => [name, node.location, node.adminState, `${node.lastContact} s`])),
  ];
}

/** The DataNode's own pages. */
function page(name, node) {
  return /^[\w.:[\]-]+$/.test(node.infoAddr || '')
    ? element('a', {href: `http://${node.infoAddr}/`}, name)
    : name;
}
