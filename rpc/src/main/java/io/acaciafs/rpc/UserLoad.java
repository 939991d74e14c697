package io.acaciafs.rpc;

/**
 * What one user costs a server.
 *
 * @param recentNanos of the threads that serve him, counted less the longer ago
 * @param totalNanos since he came
 * @param apart whether he is served apart from the others now
 */
public record UserLoad(String user, long recentNanos, long totalNanos, boolean apart) {}
