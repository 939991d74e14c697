/**
 * What a protocol is, and what its methods get and return. Modules that serve methods use this
 * package.
 *
 * <p>{@link io.acaciafs.rpc.protocol.RpcProtocol} is a list of methods, each of them an {@link
 * io.acaciafs.rpc.protocol.RpcMethod}, {@link io.acaciafs.rpc.protocol.AsyncRpcMethod} or {@link
 * io.acaciafs.rpc.protocol.CacheableRpcMethod}. A method gets its caller in {@link
 * io.acaciafs.rpc.protocol.RpcCall}, never through a thread.
 *
 * <p>Nothing here knows connections, threads or the format on the wire.
 */
@NullMarked
package io.acaciafs.rpc.protocol;

import org.jspecify.annotations.NullMarked;
