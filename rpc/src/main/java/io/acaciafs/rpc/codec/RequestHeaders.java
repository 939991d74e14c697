package io.acaciafs.rpc.codec;

import java.io.IOException;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcKindProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto.OperationProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcErrorCodeProto;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.Parser;

/**
 * Checks the headers of requests. The texts of failures are those of {@code
 * Server.checkRpcHeaders}.
 */
public final class RequestHeaders {
  private RequestHeaders() {}

  /** Reads a message without which the connection has to close. */
  public static <T> T parse(CodedInputStream in, Parser<T> parser, String name)
      throws FatalRequestException {
    try {
      return Delimited.read(in, parser);
    } catch (IOException | RuntimeException e) {
      throw new FatalRequestException(
          RpcErrorCodeProto.FATAL_DESERIALIZING_REQUEST, "Error decoding " + name + ": " + e);
    }
  }

  /**
   * @param established whether the client has named its user
   */
  public static void check(RpcRequestHeaderProto header, boolean established)
      throws FatalRequestException {
    String wrong = null;
    if (!header.hasRpcOp()) {
      wrong = " IPC Server: No rpc op in rpcRequestHeader";
    } else if (header.getRpcOp() != OperationProto.RPC_FINAL_PACKET) {
      wrong = "IPC Server does not implement rpc header operation" + header.getRpcOp();
    } else if (!header.hasRpcKind()) {
      wrong = " IPC Server: No rpc kind in rpcRequestHeader";
    } else if (header.getCallId() >= 0) {
      if (!established) {
        wrong = "Connection context not established";
      } else if (header.getRpcKind() != RpcKindProto.RPC_PROTOCOL_BUFFER) {
        wrong = "Unknown rpc kind in rpc header" + header.getRpcKind();
      }
    }
    if (wrong != null) {
      throw new FatalRequestException(RpcErrorCodeProto.FATAL_INVALID_RPC_HEADER, wrong);
    }
  }
}
