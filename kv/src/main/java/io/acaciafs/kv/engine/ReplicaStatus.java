package io.acaciafs.kv.engine;

/**
 * A server's view of its group at one moment.
 *
 * @param self this server's name
 * @param leads whether this server leads, and serves
 * @param leader the leader's name; empty: not known
 * @param position of the last batch that this server has applied
 */
public record ReplicaStatus(String self, boolean leads, String leader, long position) {}
