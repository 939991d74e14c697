package io.acaciafs.namenode.admin;

import io.acaciafs.namenode.reply.Callers;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.FinalizeUpgradeRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.FinalizeUpgradeResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RestoreFailedStorageRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RestoreFailedStorageResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.UpgradeStatusRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.UpgradeStatusResponseProto;
import org.apache.hadoop.security.AccessControlException;

/**
 * Calls about upgrades by a restart with {@code -upgrade}, which there are none of, and about
 * folders that failed: a NameNode ends when its folder does. Rolling upgrades are {@link
 * RollingUpgradeCalls}.
 */
public final class UpgradeCalls {
  private final Callers callers;

  /**
   * The administrator's last setting. It has no effect, because a NameNode never continues without
   * its folder.
   */
  private volatile boolean restoresFailedStorage;

  public UpgradeCalls(Callers callers, Configuration conf) {
    this.callers = callers;
    this.restoresFailedStorage =
        conf.getBoolean(
            DFSConfigKeys.DFS_NAMENODE_NAME_DIR_RESTORE_KEY,
            DFSConfigKeys.DFS_NAMENODE_NAME_DIR_RESTORE_DEFAULT);
  }

  public void register(RpcProtocol.Builder protocol) {
    protocol
        .method(
            "upgradeStatus",
            UpgradeStatusRequestProto.class,
            (call, request) ->
                UpgradeStatusResponseProto.newBuilder().setUpgradeFinalized(true).build())
        .method("finalizeUpgrade", FinalizeUpgradeRequestProto.class, this::finalizeUpgrade)
        .method(
            "restoreFailedStorage",
            RestoreFailedStorageRequestProto.class,
            this::restoreFailedStorage);
  }

  private FinalizeUpgradeResponseProto finalizeUpgrade(
      RpcCall call, FinalizeUpgradeRequestProto request) throws AccessControlException {
    callers.checkSuperuser(call, call.method());
    return FinalizeUpgradeResponseProto.getDefaultInstance();
  }

  private RestoreFailedStorageResponseProto restoreFailedStorage(
      RpcCall call, RestoreFailedStorageRequestProto request) throws AccessControlException {
    callers.checkSuperuser(
        call,
        switch (request.getArg()) {
          case "check" -> "checkRestoreFailedStorage";
          case "true" -> "enableRestoreFailedStorage";
          default -> "disableRestoreFailedStorage";
        });
    if (!request.getArg().equals("check")) {
      restoresFailedStorage = request.getArg().equals("true");
    }
    return RestoreFailedStorageResponseProto.newBuilder().setResult(restoresFailedStorage).build();
  }
}
