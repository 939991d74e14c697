package io.acaciafs.rpc;

import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.ipc.ProtocolMetaInfoPB;
import org.apache.hadoop.ipc.ProtocolSignature;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.protobuf.ProtocolInfoProtos.GetProtocolSignatureRequestProto;
import org.apache.hadoop.ipc.protobuf.ProtocolInfoProtos.GetProtocolSignatureResponseProto;
import org.apache.hadoop.ipc.protobuf.ProtocolInfoProtos.GetProtocolVersionsRequestProto;
import org.apache.hadoop.ipc.protobuf.ProtocolInfoProtos.GetProtocolVersionsResponseProto;
import org.apache.hadoop.ipc.protobuf.ProtocolInfoProtos.ProtocolInfoService;
import org.apache.hadoop.ipc.protobuf.ProtocolInfoProtos.ProtocolSignatureProto;
import org.apache.hadoop.ipc.protobuf.ProtocolInfoProtos.ProtocolVersionProto;

/**
 * The protocol by which clients ask for the versions and methods of the other protocols.
 *
 * <p>A client names a protocol by a Java interface, which has the name on the wire in an
 * annotation, and a method by a hash of its Java signature. So a worker loads the interface, but
 * does not initialize it before it knows that the server serves the protocol. Source: {@code
 * ProtocolMetaInfoServerSideTranslatorPB}, {@code RpcClientUtil.isMethodSupported}.
 */
final class ProtocolMetaInfo {
  private final List<RpcProtocol> protocols;

  private ProtocolMetaInfo(List<RpcProtocol> protocols) {
    this.protocols = protocols;
  }

  static RpcProtocol about(List<RpcProtocol> protocols) {
    ProtocolMetaInfo info = new ProtocolMetaInfo(List.copyOf(protocols));
    return RpcProtocol.builder(
            RPC.getProtocolName(ProtocolMetaInfoPB.class),
            RPC.getProtocolVersion(ProtocolMetaInfoPB.class),
            ProtocolInfoService.newReflectiveBlockingService(null))
        .blockingMethod(
            "getProtocolVersions",
            GetProtocolVersionsRequestProto.class,
            (call, request) -> info.versions(request.getProtocol()))
        .blockingMethod(
            "getProtocolSignature",
            GetProtocolSignatureRequestProto.class,
            (call, request) -> info.signature(request.getProtocol(), request.getRpcKind()))
        .build();
  }

  private GetProtocolVersionsResponseProto versions(String javaClass)
      throws ClassNotFoundException {
    GetProtocolVersionsResponseProto.Builder reply = GetProtocolVersionsResponseProto.newBuilder();
    List<Long> versions = versionsOf(javaClass);
    if (!versions.isEmpty()) {
      reply.addProtocolVersions(
          ProtocolVersionProto.newBuilder()
              .setRpcKind(RPC.RpcKind.RPC_PROTOCOL_BUFFER.toString())
              .addAllVersions(versions));
    }
    return reply.build();
  }

  private GetProtocolSignatureResponseProto signature(String javaClass, String kind)
      throws ClassNotFoundException, IOException {
    GetProtocolSignatureResponseProto.Builder reply =
        GetProtocolSignatureResponseProto.newBuilder();
    if (RPC.RpcKind.valueOf(kind) != RPC.RpcKind.RPC_PROTOCOL_BUFFER) {
      return reply.build();
    }
    for (long version : versionsOf(javaClass)) {
      ProtocolSignatureProto.Builder signature =
          ProtocolSignatureProto.newBuilder().setVersion(version);
      for (int method : ProtocolSignature.getProtocolSignature(javaClass, version).getMethods()) {
        signature.addMethods(method);
      }
      reply.addProtocolSignature(signature);
    }
    return reply.build();
  }

  private List<Long> versionsOf(String javaClass) throws ClassNotFoundException {
    ClassLoader loader = ProtocolMetaInfo.class.getClassLoader();
    // A class loader never removes its lock for a name that it was asked for, even if there is no
    // such class.
    if (loader.getResource(javaClass.replace('.', '/') + ".class") == null) {
      throw new ClassNotFoundException(javaClass);
    }
    Class<?> type = Class.forName(javaClass, false, loader);
    String name = RPC.getProtocolName(type);
    return protocols.stream()
        .filter(protocol -> protocol.name().equals(name))
        .map(RpcProtocol::version)
        .toList();
  }
}
