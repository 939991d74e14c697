package io.acaciafs.namenode.audit;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AddCachePoolRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AllowSnapshotRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ModifyCachePoolRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RemoveCachePoolRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.EncryptionZonesProtos.CreateEncryptionZoneRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.EncryptionZonesProtos.ReencryptEncryptionZoneRequestProto;
import org.apache.hadoop.thirdparty.protobuf.Message;

/** Calls that leave a line in HDFS's audit log where they are refused, and here none else. */
final class RefusedCalls {
  private RefusedCalls() {}

  static void addRules(Map<String, AuditRule> rules) {
    features(rules);
    peers(rules);
  }

  /** Of what is not there yet. */
  private static void features(Map<String, AuditRule> rules) {
    for (String command :
        List.of("addErasureCodingPolicies", "getCurrentEditLogTxid", "getEditsFromTxid")) {
      rules.put(command, AuditRule.of(command).writtenIf(reply -> false));
    }
    refusal(
        rules,
        "allowSnapshot",
        AllowSnapshotRequestProto.class,
        AllowSnapshotRequestProto::getSnapshotRoot);
    refusal(
        rules,
        "addCachePool",
        AddCachePoolRequestProto.class,
        request -> request.getInfo().getPoolName());
    refusal(
        rules,
        "modifyCachePool",
        ModifyCachePoolRequestProto.class,
        request -> "{poolName: " + request.getInfo().getPoolName() + "}");
    refusal(
        rules,
        "removeCachePool",
        RemoveCachePoolRequestProto.class,
        request -> "{poolName: " + request.getPoolName() + "}");
    refusal(
        rules,
        "createEncryptionZone",
        CreateEncryptionZoneRequestProto.class,
        CreateEncryptionZoneRequestProto::getSrc);
    refusal(
        rules,
        "reencryptEncryptionZone",
        ReencryptEncryptionZoneRequestProto.class,
        ReencryptEncryptionZoneRequestProto::getZone);
  }

  private static <Q extends Message> void refusal(
      Map<String, AuditRule> rules, String command, Class<Q> type, Function<Q, String> source) {
    rules.put(command, AuditRule.of(command, type, source).writtenIf(reply -> false));
  }

  /** What the balancer, haadmin and the like ask for. */
  private static void peers(Map<String, AuditRule> rules) {
    for (String command :
        List.of(
            "getBlocks",
            "getBlockKeys",
            "getMostRecentCheckpointTxId",
            "getMostRecentNameNodeFileTxId", // of which HDFS writes nothing
            "rollEditLog",
            "errorReport",
            "registerSubordinateNamenode",
            "startCheckpoint",
            "endCheckpoint",
            "getEditLogManifest",
            "isUpgradeFinalized",
            "isRollingUpgrade",
            "getNextSPSPath",
            "monitorHealth",
            "transitionToActive",
            "transitionToStandby",
            "transitionToObserver")) {
      rules.put(command, AuditRule.of(command).writtenIf(reply -> false));
    }
    rules.put("getTransactionId", AuditRule.of("getTransactionID").writtenIf(reply -> false));
  }
}
