/**
 * The whole of a large site on one machine, each server in a process of its own: ZooKeeper, three
 * NameNodes by Raft for HBase's files, DataNodes, HBase, NameNodes on it, and Routers. {@code
 * docs/deploy-hbase.md} describes the same for many machines.
 *
 * <p>Nothing here is for production.
 */
@NullMarked
package io.acaciafs.tools.cluster;

import org.jspecify.annotations.NullMarked;
