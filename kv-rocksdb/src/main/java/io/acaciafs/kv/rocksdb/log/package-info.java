/**
 * The commit log as the store sees it, and group commit.
 *
 * <p>{@link io.acaciafs.kv.rocksdb.log.CommitLog} is what an implementation offers; {@link
 * io.acaciafs.kv.rocksdb.log.GroupCommit} makes many commits durable by one sync.
 *
 * <p>Nothing here knows what a batch holds, nor where a log is.
 */
@NullMarked
package io.acaciafs.kv.rocksdb.log;

import org.jspecify.annotations.NullMarked;
