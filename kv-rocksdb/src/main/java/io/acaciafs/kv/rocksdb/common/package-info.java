/**
 * Small parts that all packages of the engine use: errors, a gate, a latch, the end of threads.
 *
 * <p>Nothing here knows rows, the log or RocksDB's files.
 */
package io.acaciafs.kv.rocksdb.common;
