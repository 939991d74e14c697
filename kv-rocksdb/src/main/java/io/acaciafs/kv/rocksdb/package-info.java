/**
 * The embedded engine: the store contract on RocksDB, in the NameNode's own process.
 *
 * <p>Guards are version words in memory ({@link io.acaciafs.kv.rocksdb.RowLocks}), so a transaction
 * costs what its reads and its rows cost. What was committed is in the {@link
 * io.acaciafs.kv.rocksdb.Memtable} until it is in RocksDB's files: {@link
 * io.acaciafs.kv.rocksdb.MemtableLog} adds it to the {@link io.acaciafs.kv.rocksdb.CommitLog},
 * which {@link io.acaciafs.kv.rocksdb.WalSyncer} makes durable for many commits at a time, and
 * {@link io.acaciafs.kv.rocksdb.WriteOut} writes it into RocksDB. What a row is now is often known
 * without asking RocksDB ({@link io.acaciafs.kv.rocksdb.LatestRows}). Native memory is touched by
 * {@link io.acaciafs.kv.rocksdb.Database}, {@link io.acaciafs.kv.rocksdb.RocksDbFiles} and the
 * scan. Nothing here knows what a file of the file system is.
 */
package io.acaciafs.kv.rocksdb;
