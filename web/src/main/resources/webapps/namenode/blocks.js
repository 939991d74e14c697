// Where the blocks of a file are, part by part, as a file may have many.
import {element} from './dom.js';
import {bytes, number} from './format.js';
import {dataTable, pagedTable} from './table.js';
import {blocks} from './webhdfs.js';

/** A block takes about 2 KB of an answer. */
const ROWS = 200;

/** The heading, and a table of the blocks. */
export async function blockTable(path, status) {
  const read = reader(path, status.blockSize);
  const {rows, found} = await read(0);
  const isWhole = found === rows.length;
  const isExact = isWhole || rows.every(each => each.block.numBytes === status.blockSize);
  const options = {pageRows: ROWS, filter: isWhole && found > 10, empty: 'An empty file has no blocks.'};
  return [
    element('h2', {}, `Blocks (${isExact ? '' : 'about '}${number(found)})`),
    isWhole ? dataTable(`blocks:${path}`, 'Blocks', COLUMNS, rows, options)
      : await pagedTable(`blocks:${path}`, 'Blocks', COLUMNS.map(column => ({...column, isFixed: true})), set => read(set.page), options),
  ];
}

/** Reads pages for a table, each behind the one before: blocks may be shorter than the file's block size. */
function reader(path, blockSize) {
  const parts = [];
  const last = () => parts[parts.length - 1];
  return async page => {
    while (parts.length <= page && (parts.length === 0 || last().left > 0)) {
      parts.push(await part(path, parts.length > 0 ? last() : {end: 0, mean: blockSize}));
    }
    const at = Math.min(page, parts.length - 1);
    const found = at * ROWS + parts[at].rows.length + parts[at].left;
    return {rows: parts[at].rows, found, all: found, page: at};
  };
}

/**
 * The blocks behind a part, and about how many are left behind them.
 *
 * @param before {end, mean}: where it ends, and how long its blocks are
 */
async function part(path, {end: start, mean}) {
  const rows = [];
  let end = start;
  let file;
  let news;
  do {
    file = await blocks(path, end, (ROWS - rows.length) * Math.max(mean, meanOf(start, end, rows)));
    news = file.locatedBlocks.slice(0, ROWS - rows.length);
    rows.push(...news);
    end = rows.length > 0 ? rows[rows.length - 1].startOffset + rows[rows.length - 1].block.numBytes : start;
  } while (news.length > 0 && rows.length < ROWS && end < file.fileLength);
  const newMean = meanOf(start, end, rows);
  // what is being written is not part of the length
  const isLast = news.length === 0 || end >= file.fileLength && !(file.lastLocatedBlock?.startOffset >= end);
  return {rows, end, mean: newMean, left: isLast ? 0 : Math.max(1, Math.ceil((file.fileLength - end) / newMean))};
}

const meanOf = (start, end, rows) => Math.max(1, Math.ceil((end - start) / Math.max(1, rows.length)));

const nodes = block => block.locations.map(node => `${node.hostName}:${node.xferPort} (${node.networkLocation})`).join(', ') || 'nowhere';

const COLUMNS = [
  {name: 'Block', value: block => block.block.blockId, cell: block => `blk_${block.block.blockId}`},
  {name: 'Stamp', kind: 'number', value: block => block.block.generationStamp},
  {name: 'Offset', kind: 'number', value: block => block.startOffset, cell: block => number(block.startOffset)},
  {name: 'Size', kind: 'number', value: block => block.block.numBytes, cell: block => bytes(block.block.numBytes)},
  {name: 'DataNodes and racks', kind: 'name', value: nodes,
    cell: block => element('span', {class: block.locations.length === 0 || block.isCorrupt ? 'bad' : ''},
      nodes(block) + (block.isCorrupt ? ', corrupt' : ''))},
];
