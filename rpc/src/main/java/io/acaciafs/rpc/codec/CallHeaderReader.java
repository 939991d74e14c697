package io.acaciafs.rpc.codec;

import io.acaciafs.wire.WireReader;
import java.util.Arrays;
import org.apache.hadoop.ipc.RpcConstants;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcKindProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto.OperationProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/**
 * Reads the {@code RpcRequestHeaderProto} of an ordinary call without building the message. An
 * ordinary header has the usual kind and operation, a call id, a client id, and perhaps a retry
 * count and a state id, each of them once. Any other header, valid or not, is left to protobuf.
 *
 * <p>For the network thread of one connection, which uses it for one call after the other.
 */
public final class CallHeaderReader extends WireReader {
  private static final int TAG_RPC_KIND = 1 << 3;
  private static final int TAG_RPC_OP = 2 << 3;
  private static final int TAG_CALL_ID = 3 << 3;
  private static final int TAG_CLIENT_ID = 4 << 3 | 2;
  private static final int TAG_RETRY_COUNT = 5 << 3;
  private static final int TAG_STATE_ID = 8 << 3;

  /** One bit for each field's number. */
  private static final int REQUIRED = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4;

  private int end;
  private int callId;
  private int retryCount;
  private long stateId;
  private byte[] clientIdBytes = {};
  private ByteString clientId = ByteString.EMPTY;

  /**
   * @param frame begins with the header's length
   * @return whether it is an ordinary header; if not, the results of this reader are undefined
   */
  public boolean read(byte[] frame) {
    begin(frame, 0);
    end = endOfMessage(frame.length);
    retryCount = RpcConstants.INVALID_RETRY_COUNT;
    stateId = CallIds.NO_STATE;
    int seen = 0;
    while (!isStrange() && position() < end) {
      int tag = tag();
      int bit = 1 << (tag >>> 3);
      if ((seen & bit) != 0) {
        return false;
      }
      seen |= bit;
      switch (tag) {
        case TAG_RPC_KIND -> expect(RpcKindProto.RPC_PROTOCOL_BUFFER_VALUE);
        case TAG_RPC_OP -> expect(OperationProto.RPC_FINAL_PACKET_VALUE);
        case TAG_CALL_ID -> callId = signed32(end);
        case TAG_CLIENT_ID -> clientId();
        case TAG_RETRY_COUNT -> retryCount = signed32(end);
        case TAG_STATE_ID -> stateId = varint(end);
        default -> setStrange();
      }
    }
    return !isStrange() && (seen & REQUIRED) == REQUIRED && callId >= 0;
  }

  /** The ids of the header that was read last. */
  public CallIds ids() {
    return new CallIds(callId, clientId, retryCount, stateId);
  }

  /** Where the bytes behind the header begin. */
  public int end() {
    return end;
  }

  private void expect(int value) {
    if (varint(end) != value) {
      setStrange();
    }
  }

  /** Most connections use the same id for all calls, so the last one is kept. */
  private void clientId() {
    int idEnd = endOfMessage(end);
    byte[] frame = buffer();
    if (!Arrays.equals(frame, position(), idEnd, clientIdBytes, 0, clientIdBytes.length)) {
      clientIdBytes = Arrays.copyOfRange(frame, position(), idEnd);
      clientId = ByteString.copyFrom(clientIdBytes);
    }
    moveTo(idEnd);
  }
}
