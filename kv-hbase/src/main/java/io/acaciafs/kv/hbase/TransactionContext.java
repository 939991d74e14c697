package io.acaciafs.kv.hbase;

/**
 * What transactions of a store work with.
 *
 * @param unguarded reads outside of guards
 * @param versioned reads that are guarded
 * @param commits commits and validates
 */
record TransactionContext(
    UnguardedReads unguarded, VersionedReads versioned, CommitRunner commits) {}
