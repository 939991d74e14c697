package io.acaciafs.namenode.ha;

import java.io.IOException;
import java.util.Base64;
import java.util.List;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshRequestProto;
import org.apache.hadoop.thirdparty.protobuf.Message;

/** A first attempt of a client. */
final class ClientCall {
  private ClientCall() {}

  static ForwardedCall of(String method, Message request) throws IOException {
    Base64.Encoder base64 = Base64.getEncoder();
    return ForwardedCall.decode(
        GenericRefreshRequestProto.newBuilder()
            .setIdentifier(method)
            .addAllArgs(
                List.of(
                    "someone",
                    "",
                    "127.0.0.1",
                    "1234",
                    base64.encodeToString(new byte[16]),
                    "1",
                    "0",
                    "",
                    base64.encodeToString(request.toByteArray()),
                    "0"))
            .build(),
        request);
  }
}
