package io.acaciafs.rpc.codec;

import org.apache.hadoop.ipc.RpcConstants;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/** The ids of a call. A reply repeats them, so that the client finds the call. */
public record CallIds(int callId, ByteString clientId, int retryCount) {

  /** The ids of a reply that answers no call, or a call of which nothing else is known. */
  public static CallIds outOfBand(int callId) {
    return new CallIds(callId, ByteString.EMPTY, RpcConstants.INVALID_RETRY_COUNT);
  }

  public static CallIds of(RpcRequestHeaderProto header) {
    return new CallIds(header.getCallId(), header.getClientId(), header.getRetryCount());
  }
}
