/**
 * The memtable: what was committed and is not in RocksDB's files yet, and the thread that writes it
 * there.
 *
 * <p>{@link io.acaciafs.kv.rocksdb.memtable.Memtable} takes batches, {@link
 * io.acaciafs.kv.rocksdb.memtable.MemtableSnapshot} gives scans the rows of one moment, {@link
 * io.acaciafs.kv.rocksdb.memtable.MemtableFlusher} writes full parts into RocksDB.
 *
 * <p>Nothing here calls RocksDB.
 */
@NullMarked
package io.acaciafs.kv.rocksdb.memtable;

import org.jspecify.annotations.NullMarked;
