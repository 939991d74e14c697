package io.acaciafs.rpc.codec;

import org.apache.hadoop.ipc.RpcConstants;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/**
 * The ids of a call. A reply repeats them, so that the client finds the call.
 *
 * @param stateId the last state that the client has seen, and of a reply what it has then; or
 *     {@link #NO_STATE}
 */
public record CallIds(int callId, ByteString clientId, int retryCount, long stateId) {
  /** The client has not told what it has seen. */
  public static final long NO_STATE = Long.MIN_VALUE;

  /** The same for a client that sees another state, if that is a later one. */
  public CallIds seeing(long state) {
    return state <= stateId ? this : new CallIds(callId, clientId, retryCount, state);
  }

  /** The ids of a reply that answers no call, or a call of which nothing else is known. */
  public static CallIds outOfBand(int callId) {
    return new CallIds(callId, ByteString.EMPTY, RpcConstants.INVALID_RETRY_COUNT, NO_STATE);
  }

  public static CallIds of(RpcRequestHeaderProto header) {
    return new CallIds(
        header.getCallId(),
        header.getClientId(),
        header.getRetryCount(),
        header.hasStateId() ? header.getStateId() : NO_STATE);
  }
}
