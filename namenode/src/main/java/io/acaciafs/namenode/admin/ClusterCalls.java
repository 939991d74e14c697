package io.acaciafs.namenode.admin;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.blocks.settings.TokenSettings;
import io.acaciafs.kv.Store;
import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namenode.reply.Callers;
import io.acaciafs.namespace.settings.StoragePolicies;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.ha.proto.HAServiceProtocolProtos.HAServiceStateProto;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetDatanodeReportRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetDatanodeReportResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetDatanodeStorageReportRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetDatanodeStorageReportResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFsStatsResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFsStatusRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetServerDefaultsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetServerDefaultsResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.HAServiceStateRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.HAServiceStateResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MsyncRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MsyncResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.DataChecksum;

/** What clients ask of the cluster as a whole, and what the NameNode says of itself. */
public final class ClusterCalls {
  private final BlockManager blocks;
  private final Store store;
  private final Callers callers;
  private final GetServerDefaultsResponseProto serverDefaults;

  public ClusterCalls(
      BlockManager blocks,
      Callers callers,
      StoragePolicies policies,
      Store store,
      Configuration conf)
      throws IOException {
    this.blocks = blocks;
    this.store = store;
    this.callers = callers;
    this.serverDefaults =
        GetServerDefaultsResponseProto.newBuilder()
            .setServerDefaults(PBHelperClient.convert(serverDefaults(policies, conf)))
            .build();
  }

  public void register(RpcProtocol.Builder protocol) {
    protocol
        .method(
            "getServerDefaults",
            GetServerDefaultsRequestProto.class,
            (call, request) -> serverDefaults)
        .method("getFsStats", GetFsStatusRequestProto.class, this::getFsStats)
        .method("getDatanodeReport", GetDatanodeReportRequestProto.class, this::getDatanodeReport)
        .method(
            "getDatanodeStorageReport",
            GetDatanodeStorageReportRequestProto.class,
            this::getDatanodeStorageReport)
        .method(
            "getHAServiceState",
            HAServiceStateRequestProto.class,
            (call, request) ->
                HAServiceStateResponseProto.newBuilder()
                    .setState(HAServiceStateProto.ACTIVE)
                    .build())
        .asyncMethod("msync", MsyncRequestProto.class, this::msync);
  }

  /**
   * Every operation is linearizable, so there is nothing to wait for but that no other NameNode can
   * have taken over: the state that the reply tells is the last one.
   */
  private CompletableFuture<MsyncResponseProto> msync(RpcCall call, MsyncRequestProto request) {
    return Answers.inHdfsTerms(store.begin().validate())
        .thenApply(nothing -> MsyncResponseProto.getDefaultInstance());
  }

  private GetFsStatsResponseProto getFsStats(RpcCall call, GetFsStatusRequestProto request) {
    return PBHelperClient.convert(blocks.stats());
  }

  private GetDatanodeReportResponseProto getDatanodeReport(
      RpcCall call, GetDatanodeReportRequestProto request) throws AccessControlException {
    callers.checkSuperuser(call, "datanodeReport");
    return GetDatanodeReportResponseProto.newBuilder()
        .addAllDi(
            PBHelperClient.convert(
                blocks.datanodeReport(PBHelperClient.convert(request.getType()))))
        .build();
  }

  private GetDatanodeStorageReportResponseProto getDatanodeStorageReport(
      RpcCall call, GetDatanodeStorageReportRequestProto request) throws AccessControlException {
    callers.checkSuperuser(call, "getDatanodeStorageReport");
    return GetDatanodeStorageReportResponseProto.newBuilder()
        .addAllDatanodeStorageReports(
            PBHelperClient.convertDatanodeStorageReports(
                blocks.datanodeStorageReport(PBHelperClient.convert(request.getType()))))
        .build();
  }

  /** What a client does that is not told otherwise. */
  static FsServerDefaults serverDefaults(StoragePolicies policies, Configuration conf)
      throws IOException {
    String checksum =
        conf.get(DFSConfigKeys.DFS_CHECKSUM_TYPE_KEY, DFSConfigKeys.DFS_CHECKSUM_TYPE_DEFAULT);
    DataChecksum.Type checksumType;
    try {
      checksumType = DataChecksum.Type.valueOf(checksum);
    } catch (IllegalArgumentException e) {
      throw new IOException(
          DFSConfigKeys.DFS_CHECKSUM_TYPE_KEY + " names no checksum: " + checksum, e);
    }
    return new FsServerDefaults(
        conf.getLongBytes(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, DFSConfigKeys.DFS_BLOCK_SIZE_DEFAULT),
        conf.getInt(
            DFSConfigKeys.DFS_BYTES_PER_CHECKSUM_KEY, DFSConfigKeys.DFS_BYTES_PER_CHECKSUM_DEFAULT),
        conf.getInt(
            HdfsClientConfigKeys.DFS_CLIENT_WRITE_PACKET_SIZE_KEY,
            HdfsClientConfigKeys.DFS_CLIENT_WRITE_PACKET_SIZE_DEFAULT),
        (short)
            conf.getInt(DFSConfigKeys.DFS_REPLICATION_KEY, DFSConfigKeys.DFS_REPLICATION_DEFAULT),
        conf.getInt(
            CommonConfigurationKeysPublic.IO_FILE_BUFFER_SIZE_KEY,
            CommonConfigurationKeysPublic.IO_FILE_BUFFER_SIZE_DEFAULT),
        TokenSettings.of(conf).encryptsData(),
        conf.getLong(
            CommonConfigurationKeysPublic.FS_TRASH_INTERVAL_KEY,
            CommonConfigurationKeysPublic.FS_TRASH_INTERVAL_DEFAULT),
        checksumType,
        // empty, not absent: the client must not look for a key provider of its own
        "",
        policies.defaultPolicy().value(),
        false);
  }
}
