/**
 * The embedded engine: the store contract on RocksDB, in the NameNode's own process.
 *
 * <p>Guards are version words in memory ({@link io.acaciafs.kv.rocksdb.RowLocks}), so a transaction
 * costs what its reads and its batch cost. The write-ahead log is made durable for many commits at
 * a time ({@link io.acaciafs.kv.rocksdb.WalSyncer}). What a row is now is often known without
 * asking RocksDB ({@link io.acaciafs.kv.rocksdb.LatestRows}). Everything that touches native memory
 * is in {@link io.acaciafs.kv.rocksdb.Database} and the scan. Nothing here knows what a file is.
 */
package io.acaciafs.kv.rocksdb;
