import {status} from './api.js';
import {ask} from './ask.js';
import {cluster} from './cluster.js';
import {number} from './format.js';
import {element, facts, table} from './dom.js';

export async function show() {
  const now = await status();
  const servers = now.partitionsSpread ? await ask('cluster') : undefined;
  return [
    element('h2', {}, 'Store'),
    facts([
      ['Engine', now.engine],
      ['Place', now.place],
      ['Partitions', now.partitionsSpread ? 'spread over the servers of the store' : 'all on this server'],
      ...(now.roundTrips === undefined ? [] : [['Requests to the store', number(now.roundTrips)]]),
    ]),
    ...cluster(servers),
    element('h2', {}, 'Tables'),
    element('p', {}, 'Up to 10,000 rows are counted, more are estimated by the engine.'),
    table('Tables', [['Table', 'name'], ['Rows, about', 'number']],
      now.tables.map(row => [row.name, number(row.rows)])),
  ];
}
