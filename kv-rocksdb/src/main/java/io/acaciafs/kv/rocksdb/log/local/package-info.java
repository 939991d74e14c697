/**
 * The commit log on this machine's disk: segments, recovery after a crash, and the mark that says
 * what a folder must hold.
 *
 * <p>{@link io.acaciafs.kv.rocksdb.log.local.LocalLog} appends and frees segments, {@link
 * io.acaciafs.kv.rocksdb.log.local.LogRecovery} replays what is durable.
 *
 * <p>Nothing here knows what a record holds: it is a batch of bytes.
 */
@NullMarked
package io.acaciafs.kv.rocksdb.log.local;

import org.jspecify.annotations.NullMarked;
