/**
 * The embedded engine: the store contract on RocksDB, in the NameNode's own process.
 *
 * <p>Guards are version words in memory, so a transaction costs what its reads and its rows cost. A
 * commit is added to the commit log, which group commit makes durable for many commits at a time,
 * and stays in the memtable until it is in RocksDB's files. What a row is now is often known
 * without asking RocksDB ({@link io.acaciafs.kv.rocksdb.LatestRows}).
 *
 * <p>The packages below, from the bottom up; each uses those above it in this list alone:
 *
 * <ul>
 *   <li>{@code common} - errors, a gate, a latch
 *   <li>{@code lock} - versions of rows, by which transactions detect conflicts
 *   <li>{@code log} - the commit log, group commit and recovery
 *   <li>{@code memtable} - committed rows that are not in RocksDB's files yet
 *   <li>{@code files} - RocksDB's files
 * </ul>
 *
 * <p>The store itself, its transactions and scans are here. Nothing here knows what a file of the
 * file system is.
 */
@NullMarked
package io.acaciafs.kv.rocksdb;

import org.jspecify.annotations.NullMarked;
