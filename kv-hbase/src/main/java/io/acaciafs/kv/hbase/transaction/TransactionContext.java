package io.acaciafs.kv.hbase.transaction;

import io.acaciafs.kv.hbase.commit.CommitRunner;

/**
 * What transactions of a store work with.
 *
 * @param unguarded reads outside of guards
 * @param versioned reads that are guarded
 * @param commits commits and validates
 */
public record TransactionContext(
    UnguardedReads unguarded, VersionedReads versioned, CommitRunner commits) {}
