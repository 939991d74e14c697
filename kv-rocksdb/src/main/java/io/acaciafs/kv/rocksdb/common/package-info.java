/**
 * Small parts that all packages of the engine use: errors, a gate, a latch, the end of threads.
 *
 * <p>Nothing here knows rows, the log or RocksDB's files.
 */
@NullMarked
package io.acaciafs.kv.rocksdb.common;

import org.jspecify.annotations.NullMarked;
