package io.acaciafs.rpc.codec;

import java.util.Arrays;
import org.apache.hadoop.ipc.RpcConstants;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcKindProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto.OperationProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/**
 * Reads the {@code RpcRequestHeaderProto} of an ordinary call without building the message. An
 * ordinary header has the usual kind and operation, a call id, a client id, and perhaps a retry
 * count, each of them once. Any other header, valid or not, is left to protobuf.
 *
 * <p>For the network thread of one connection, which uses it for one call after the other.
 */
public final class CallHeaderReader {
  private static final int TAG_RPC_KIND = 1 << 3;
  private static final int TAG_RPC_OP = 2 << 3;
  private static final int TAG_CALL_ID = 3 << 3;
  private static final int TAG_CLIENT_ID = 4 << 3 | 2;
  private static final int TAG_RETRY_COUNT = 5 << 3;

  /** One bit for each field's number. */
  private static final int REQUIRED = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4;

  private static final int MAX_VARINT_SHIFT = 28;

  private byte[] frame;
  private int position;
  private int end;
  private boolean ordinary;
  private int callId;
  private int retryCount;
  private byte[] clientIdBytes = {};
  private ByteString clientId = ByteString.EMPTY;

  /**
   * @param frame begins with the header's length
   * @return whether it is an ordinary header; if not, the results of this reader are undefined
   */
  public boolean read(byte[] frame) {
    this.frame = frame;
    position = 0;
    end = frame.length;
    ordinary = true;
    end = shortLength();
    retryCount = RpcConstants.INVALID_RETRY_COUNT;
    int seen = 0;
    while (ordinary && position < end) {
      int tag = frame[position++];
      int bit = 1 << (tag >>> 3);
      if ((seen & bit) != 0) {
        return false;
      }
      seen |= bit;
      switch (tag) {
        case TAG_RPC_KIND -> expect(RpcKindProto.RPC_PROTOCOL_BUFFER_VALUE);
        case TAG_RPC_OP -> expect(OperationProto.RPC_FINAL_PACKET_VALUE);
        case TAG_CALL_ID -> callId = signedVarint();
        case TAG_CLIENT_ID -> clientId();
        case TAG_RETRY_COUNT -> retryCount = signedVarint();
        default -> ordinary = false;
      }
    }
    return ordinary && (seen & REQUIRED) == REQUIRED && callId >= 0;
  }

  /** The ids of the header that was read last. */
  public CallIds ids() {
    return new CallIds(callId, clientId, retryCount);
  }

  /** Where the bytes behind the header begin. */
  public int end() {
    return end;
  }

  /** Reads a length below 128, and returns where the bytes that it counts end. */
  private int shortLength() {
    if (position >= end || frame[position] < 0 || frame[position] > end - position - 1) {
      ordinary = false;
      return position;
    }
    int length = frame[position++];
    return position + length;
  }

  private void expect(int value) {
    ordinary = position < end && frame[position++] == value;
  }

  private int signedVarint() {
    int zigzag = 0;
    for (int shift = 0; shift <= MAX_VARINT_SHIFT && position < end; shift += 7) {
      int next = frame[position++];
      zigzag |= (next & 0x7f) << shift;
      if (next >= 0) {
        ordinary &= shift < MAX_VARINT_SHIFT || next <= 0x0f;
        return zigzag >>> 1 ^ -(zigzag & 1);
      }
    }
    ordinary = false;
    return 0;
  }

  /** Most connections use the same id for all calls, so the last one is kept. */
  private void clientId() {
    int idEnd = shortLength();
    if (!Arrays.equals(frame, position, idEnd, clientIdBytes, 0, clientIdBytes.length)) {
      clientIdBytes = Arrays.copyOfRange(frame, position, idEnd);
      clientId = ByteString.copyFrom(clientIdBytes);
    }
    position = idEnd;
  }
}
