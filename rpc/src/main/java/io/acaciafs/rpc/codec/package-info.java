/**
 * Hadoop RPC's messages as bytes: the preamble, headers of requests, replies and failures.
 *
 * <p>{@link io.acaciafs.rpc.codec.Preamble} and {@link io.acaciafs.rpc.codec.CallHeaderReader}
 * read, {@link io.acaciafs.rpc.codec.ReplyEncoder} writes. Sources of the format: {@code
 * org.apache.hadoop.ipc.Server} and {@code ProtobufRpcEngine2} of Hadoop 3.5.0.
 *
 * <p>Nothing here keeps the state of a connection, or knows which methods there are.
 */
@NullMarked
package io.acaciafs.rpc.codec;

import org.jspecify.annotations.NullMarked;
