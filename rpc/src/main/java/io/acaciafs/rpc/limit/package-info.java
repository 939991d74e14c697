/**
 * What bounds the harm that one client can do to others: a memory budget for all connections, the
 * cost of each user's calls, and the length of names.
 *
 * <p>{@link io.acaciafs.rpc.limit.ConnectionMemory} decides which connections get memory, {@link
 * io.acaciafs.rpc.limit.UserCosts} which users separate threads serve. Both only decide; the
 * connections act. The rules are described in docs/internals/bad-clients.md.
 */
@NullMarked
package io.acaciafs.rpc.limit;

import org.jspecify.annotations.NullMarked;
