package io.acaciafs.rpc.codec;

import org.apache.hadoop.ipc.RpcConstants;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/** What a reply repeats of its request, so that the client knows which call it belongs to. */
public record CallIds(int callId, ByteString clientId, int retryCount) {

  /** Of a reply that answers no call, or a call of which no more is known. */
  public static CallIds outOfBand(int callId) {
    return new CallIds(callId, ByteString.EMPTY, RpcConstants.INVALID_RETRY_COUNT);
  }

  public static CallIds of(RpcRequestHeaderProto header) {
    return new CallIds(header.getCallId(), header.getClientId(), header.getRetryCount());
  }
}
