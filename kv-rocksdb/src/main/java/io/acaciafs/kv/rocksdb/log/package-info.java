/**
 * The commit log: segments on the disk, group commit, recovery after a crash, and the mark that
 * says what a folder must hold.
 *
 * <p>{@link io.acaciafs.kv.rocksdb.log.CommitLog} appends and frees segments, {@link
 * io.acaciafs.kv.rocksdb.log.GroupCommit} makes many commits durable by one sync, {@link
 * io.acaciafs.kv.rocksdb.log.LogRecovery} replays what is durable.
 *
 * <p>Nothing here knows what a record holds: it is a batch of bytes.
 */
package io.acaciafs.kv.rocksdb.log;
