package io.acaciafs.namenode.ha;

import java.io.IOException;
import java.util.Base64;
import java.util.List;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MkdirsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MkdirsResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshRequestProto;
import org.apache.hadoop.thirdparty.protobuf.Message;

/** A first attempt of a client. */
final class ClientCall {
  static final MkdirsRequestProto MKDIRS =
      MkdirsRequestProto.newBuilder()
          .setSrc("/a")
          .setMasked(PBHelperClient.convert(FsPermission.getDirDefault()))
          .setCreateParent(true)
          .build();
  static final MkdirsResponseProto MKDIRS_REPLY =
      MkdirsResponseProto.newBuilder().setResult(true).build();

  private ClientCall() {}

  static ForwardedCall of(String method, Message request) throws IOException {
    return of(method, request, "someone", "", List.of());
  }

  /**
   * @param proofs how user and real user proved who they are, and the token; none: they did not
   */
  static ForwardedCall of(
      String method, Message request, String user, String realUser, List<String> proofs)
      throws IOException {
    Base64.Encoder base64 = Base64.getEncoder();
    return ForwardedCall.decode(
        GenericRefreshRequestProto.newBuilder()
            .setIdentifier(method)
            .addAllArgs(
                List.of(
                    user,
                    realUser,
                    "127.0.0.1",
                    "1234",
                    base64.encodeToString(new byte[16]),
                    "1",
                    "0",
                    "",
                    base64.encodeToString(request.toByteArray()),
                    "0"))
            .addAllArgs(proofs)
            .build(),
        request);
  }
}
