/**
 * The store on an odd number of servers, by Raft: each has all rows in a RocksDB of its own, one
 * leads, and a commit is durable when a majority has it. Apache Ratis elects the leader and carries
 * the batches; what a batch holds, the embedded engine says.
 *
 * <p>Nothing here knows files or directories of the file system, nor RPC to clients.
 */
@NullMarked
package io.acaciafs.kv.raft;

import org.jspecify.annotations.NullMarked;
