/**
 * Fencing: other processes can make sure that HBase applies nothing more of a process that they
 * take for dead, and a process finds out the result of a request whose reply was lost.
 *
 * <p>{@link io.acaciafs.kv.hbase.fence.FencedSender} sends each request with one of the process's
 * {@link io.acaciafs.kv.hbase.fence.FencingTokens}, {@link
 * io.acaciafs.kv.hbase.fence.MemberFencing} removes those of a dead process.
 * docs/internals/directory-leases.md has the proof.
 *
 * <p>Nothing here knows what a request is for.
 */
@NullMarked
package io.acaciafs.kv.hbase.fence;

import org.jspecify.annotations.NullMarked;
