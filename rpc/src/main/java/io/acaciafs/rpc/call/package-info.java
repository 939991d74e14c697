/**
 * Runs calls: {@link io.acaciafs.rpc.call.CallDispatcher} runs the method of a call on a network
 * thread or on a worker and ends the call with its result; {@link io.acaciafs.rpc.call.ReplyCache}
 * answers without running the method; {@link io.acaciafs.rpc.call.LocalCalls} calls methods from
 * inside the process.
 *
 * <p>A call knows its connection as {@link io.acaciafs.rpc.call.CallConnection} alone. Nothing here
 * reads or writes a socket.
 */
@NullMarked
package io.acaciafs.rpc.call;

import org.jspecify.annotations.NullMarked;
