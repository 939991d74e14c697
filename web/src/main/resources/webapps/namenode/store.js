import {status} from './api.js';
import {number} from './format.js';
import {element, facts, table} from './dom.js';

export const everyMs = 5000;

export async function show() {
  const now = await status();
  return [
    element('h2', {}, 'Store'),
    facts([
      ['Engine', now.engine],
      ['Place', now.place],
      ['Partitions', now.partitionsSpread ? 'spread over the servers of the store' : 'all on this server'],
      ...(now.roundTrips === undefined ? [] : [['Requests to the store', number(now.roundTrips)]]),
    ]),
    element('h2', {}, 'Servers'),
    table('Servers', [['NameNode', 'name'], ['State']], [[now.address, 'active']]),
    element('h2', {}, 'Tables'),
    element('p', {}, 'Up to 10,000 rows are counted, more are estimated by the engine.'),
    table('Tables', [['Table', 'name'], ['Rows, about', 'number']],
      now.tables.map(row => [row.name, number(row.rows)])),
  ];
}
