/**
 * Copies of a member's store for a member that lacks what the log no longer has: made by links,
 * fetched piece by piece over Ratis's own port, and put in the place of the old store at once.
 *
 * <p>Nothing here knows what the files hold, but for the names of RocksDB's.
 */
@NullMarked
package io.acaciafs.kv.raft.copy;

import org.jspecify.annotations.NullMarked;
