/**
 * Commits and validation of transactions.
 *
 * <p>{@link io.acaciafs.kv.hbase.commit.CommitRunner} chooses the way: one request for rows of one
 * region ({@link io.acaciafs.kv.hbase.commit.RegionCommit}), which commits share ({@link
 * io.acaciafs.kv.hbase.commit.RegionQueues}), or two phases for rows of several ({@link
 * io.acaciafs.kv.hbase.commit.TwoPhaseCommit}). docs/internals/hbase-transactions.md has the proof.
 *
 * <p>Nothing here knows the contract's transactions and scans: a commit is guards and writes.
 */
@NullMarked
package io.acaciafs.kv.hbase.commit;

import org.jspecify.annotations.NullMarked;
