package io.acaciafs.namenode.calls;

import io.acaciafs.blocks.token.BlockTokens;
import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namespace.op.attribute.CheckReadable;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetDataEncryptionKeyRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetDataEncryptionKeyResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetEnclosingRootRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetEnclosingRootResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.EncryptionZonesProtos.CreateEncryptionZoneRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.EncryptionZonesProtos.CreateEncryptionZoneResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.EncryptionZonesProtos.GetEZForPathRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.EncryptionZonesProtos.GetEZForPathResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.EncryptionZonesProtos.ListEncryptionZonesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.EncryptionZonesProtos.ListEncryptionZonesResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.EncryptionZonesProtos.ListReencryptionStatusRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.EncryptionZonesProtos.ListReencryptionStatusResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.EncryptionZonesProtos.ReencryptEncryptionZoneRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.EncryptionZonesProtos.ReencryptEncryptionZoneResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.DataEncryptionKey;
import org.apache.hadoop.security.AccessControlException;

/**
 * Calls about encryption. Those about zones are answered as by an HDFS without a key provider:
 * there are none, and none can be made.
 */
public final class EncryptionZoneCalls {
  private final Answers answers;
  private final BlockTokens tokens;

  public EncryptionZoneCalls(Answers answers, BlockTokens tokens) {
    this.answers = answers;
    this.tokens = tokens;
  }

  public void register(RpcProtocol.Builder protocol) {
    protocol
        .method("listEncryptionZones", ListEncryptionZonesRequestProto.class, this::list)
        .asyncMethod("getEZForPath", GetEZForPathRequestProto.class, this::zoneOf)
        .asyncMethod("getEnclosingRoot", GetEnclosingRootRequestProto.class, this::enclosingRoot)
        .method("createEncryptionZone", CreateEncryptionZoneRequestProto.class, this::create)
        .method("reencryptEncryptionZone", ReencryptEncryptionZoneRequestProto.class, this::again)
        .method("listReencryptionStatus", ListReencryptionStatusRequestProto.class, this::status)
        .method(
            "getDataEncryptionKey", GetDataEncryptionKeyRequestProto.class, this::encryptionKey);
  }

  /** For data on its way between clients and DataNodes; absent where it is not encrypted. */
  private GetDataEncryptionKeyResponseProto encryptionKey(
      RpcCall call, GetDataEncryptionKeyRequestProto request) {
    DataEncryptionKey key = tokens.newEncryptionKey();
    GetDataEncryptionKeyResponseProto.Builder reply =
        GetDataEncryptionKeyResponseProto.newBuilder();
    if (key != null) {
      reply.setDataEncryptionKey(PBHelperClient.convert(key));
    }
    return reply.build();
  }

  private ListEncryptionZonesResponseProto list(
      RpcCall call, ListEncryptionZonesRequestProto request) throws AccessControlException {
    answers.callers().checkSuperuser(call, call.method());
    return ListEncryptionZonesResponseProto.newBuilder().setHasMore(false).build();
  }

  private CompletableFuture<GetEZForPathResponseProto> zoneOf(
      RpcCall call, GetEZForPathRequestProto request) {
    return answers.done(
        call,
        new CheckReadable(request.getSrc(), false),
        GetEZForPathResponseProto.getDefaultInstance());
  }

  /** The directory that a rename must not leave: a zone, and where there is none the root. */
  private CompletableFuture<GetEnclosingRootResponseProto> enclosingRoot(
      RpcCall call, GetEnclosingRootRequestProto request) {
    return answers.done(
        call,
        new CheckReadable(request.getFilename(), false),
        GetEnclosingRootResponseProto.newBuilder().setEnclosingRootPath("/").build());
  }

  private CreateEncryptionZoneResponseProto create(
      RpcCall call, CreateEncryptionZoneRequestProto request) throws IOException {
    answers.callers().checkSuperuser(call, call.method());
    throw new IOException(
        "Can't create an encryption zone for "
            + request.getSrc()
            + " since no key provider is available.");
  }

  private ReencryptEncryptionZoneResponseProto again(
      RpcCall call, ReencryptEncryptionZoneRequestProto request) throws IOException {
    answers.callers().checkSuperuser(call, call.method());
    throw new IOException("No key provider configured, re-encryption operation is rejected");
  }

  private ListReencryptionStatusResponseProto status(
      RpcCall call, ListReencryptionStatusRequestProto request) throws AccessControlException {
    answers.callers().checkSuperuser(call, call.method());
    return ListReencryptionStatusResponseProto.newBuilder().setHasMore(false).build();
  }
}
