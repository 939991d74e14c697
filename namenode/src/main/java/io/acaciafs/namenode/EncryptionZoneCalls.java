package io.acaciafs.namenode;

import io.acaciafs.rpc.RpcCall;
import io.acaciafs.rpc.RpcProtocol;
import org.apache.hadoop.hdfs.protocol.proto.EncryptionZonesProtos.ListEncryptionZonesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.EncryptionZonesProtos.ListEncryptionZonesResponseProto;
import org.apache.hadoop.security.AccessControlException;

/** There are no encryption zones, which those want to know who look into all trash. */
final class EncryptionZoneCalls {
  private final Callers callers;

  EncryptionZoneCalls(Callers callers) {
    this.callers = callers;
  }

  void register(RpcProtocol.Builder protocol) {
    protocol.method("listEncryptionZones", ListEncryptionZonesRequestProto.class, this::list);
  }

  private ListEncryptionZonesResponseProto list(
      RpcCall call, ListEncryptionZonesRequestProto request) throws AccessControlException {
    callers.checkSuperuser(call);
    return ListEncryptionZonesResponseProto.newBuilder().setHasMore(false).build();
  }
}
