package io.acaciafs.kv.raft;

/**
 * How long a follower waits for the leader before it stands for election.
 *
 * @param minMs at least
 * @param maxMs at most; each follower draws a time in between
 */
record ElectionTimeout(int minMs, int maxMs) {}
