/**
 * RocksDB's own files: flushes, the native library and its objects, expiring rows, and filters for
 * rows that are absent.
 *
 * <p>Nothing here knows transactions.
 */
@NullMarked
package io.acaciafs.kv.rocksdb.files;

import org.jspecify.annotations.NullMarked;
