/**
 * The comparison of the members' stores. Each member keeps a view of its store as it is at one
 * entry of the log; the leader walks over its own, and asks the others for digests of the same
 * ranges of keys. Only where these differ it asks for rows.
 *
 * <p>{@link io.acaciafs.kv.raft.compare.MemberViews} is what each member has, {@link
 * io.acaciafs.kv.raft.compare.StoreComparison} what the leader does.
 */
@NullMarked
package io.acaciafs.kv.raft.compare;

import org.jspecify.annotations.NullMarked;
