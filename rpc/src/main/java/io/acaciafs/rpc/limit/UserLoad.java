package io.acaciafs.rpc.limit;

/**
 * What one user costs a server.
 *
 * @param recentNanos recent time of the threads that serve the user; the older, the less it counts
 * @param totalNanos time of these threads since the user's first call
 * @param isolated whether separate threads serve the user now
 */
public record UserLoad(String user, long recentNanos, long totalNanos, boolean isolated) {}
