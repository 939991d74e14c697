/**
 * Hadoop RPC as a server: wire format version 9, protobuf engine 2, SIMPLE authentication, on
 * Netty.
 *
 * <p>A protocol is a list of methods ({@link io.acaciafs.rpc.protocol.RpcProtocol}); a method runs
 * on the network thread, completes by future, or runs on a bounded pool of workers. Who calls is
 * handed to it in {@link io.acaciafs.rpc.protocol.RpcCall}, never through a thread. Here live
 * framing, the connection's set-up, dispatch, replies and those that are kept, back-pressure,
 * counters, and which users are served apart. Nothing here knows what a file is, and no method of a
 * particular protocol lives here but those that tell a client which versions there are.
 *
 * <p>The way of a call: {@code RpcConnection} (bytes, flow, flushing) -> {@code FrameReader} (one
 * frame) -> {@code ConnectionSetup} (who calls) or {@code CallDispatcher} (which method) -> {@code
 * ReplyEncoder}. Source of the format: {@code org.apache.hadoop.ipc.Server} and {@code
 * ProtobufRpcEngine2} of Hadoop 3.5.0.
 */
package io.acaciafs.rpc;
