/**
 * The group's log as the store sees it: batches as entries of Ratis's log, in their order, and how
 * far they are applied and in files. {@link io.acaciafs.kv.raft.log.RaftLog} is the store's commit
 * log.
 */
@NullMarked
package io.acaciafs.kv.raft.log;

import org.jspecify.annotations.NullMarked;
