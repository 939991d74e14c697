/**
 * Hadoop's own suites, unmodified, over RPC against the NameNode under test.
 *
 * <p>All of them share one cluster.
 */
package io.acaciafs.systemtests.suites;
