package io.acaciafs.namenode.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.acaciafs.namenode.RunningNameNode;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol;
import org.apache.hadoop.ha.protocolPB.HAServiceProtocolClientSideTranslatorPB;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.ReconfigurationProtocol;
import org.apache.hadoop.hdfs.protocolPB.ReconfigurationProtocolTranslatorPB;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What HDFS keeps for the superuser is refused to all others, in its words where we know them. */
class PrivilegesTest {
  private static RunningNameNode nameNode;
  private static ClientProtocol client;
  private static NamenodeProtocol peer;
  private static HAServiceProtocol ha;
  private static ReconfigurationProtocol reconfiguration;

  private interface Call {
    void run() throws IOException;
  }

  @BeforeAll
  static void start(@TempDir File folder) throws Exception {
    nameNode = new RunningNameNode(folder, Map.of());
    URI uri = nameNode.fileSystem().getUri();
    UserGroupInformation mallory =
        UserGroupInformation.createUserForTesting("mallory", new String[] {"nobody"});
    Configuration conf = new Configuration();
    InetSocketAddress address = new InetSocketAddress(uri.getHost(), uri.getPort());
    mallory.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              client = NameNodeProxies.createProxy(conf, uri, ClientProtocol.class).getProxy();
              peer = NameNodeProxies.createProxy(conf, uri, NamenodeProtocol.class).getProxy();
              ha =
                  new HAServiceProtocolClientSideTranslatorPB(
                      address, conf, NetUtils.getDefaultSocketFactory(conf), 10_000);
              reconfiguration =
                  new ReconfigurationProtocolTranslatorPB(
                      address, mallory, conf, NetUtils.getDefaultSocketFactory(conf));
              return null;
            });
  }

  @AfterAll
  static void stop() throws IOException {
    nameNode.close();
  }

  private static void refused(String operation, Call call) {
    Throwable thrown = catchThrowable(call::run);
    if (thrown instanceof org.apache.hadoop.ipc.RemoteException remote) {
      thrown = remote.unwrapRemoteException();
    }
    assertThat(thrown)
        .as(operation)
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("Access denied for user mallory. Superuser privilege is required");
  }

  private static void refusedWithItsName(String operation, Call call) {
    refused(operation, call);
    assertThat(catchThrowable(call::run))
        .hasMessageContaining("Superuser privilege is required for operation " + operation);
  }

  @Test
  void whatIsAskedOfTheCluster() {
    for (HdfsConstants.DatanodeReportType type : HdfsConstants.DatanodeReportType.values()) {
      refusedWithItsName("datanodeReport", () -> client.getDatanodeReport(type));
      refusedWithItsName("getDatanodeStorageReport", () -> client.getDatanodeStorageReport(type));
    }
    refusedWithItsName(
        "queryRollingUpgrade",
        () -> client.rollingUpgrade(HdfsConstants.RollingUpgradeAction.QUERY));
    refusedWithItsName(
        "startRollingUpgrade",
        () -> client.rollingUpgrade(HdfsConstants.RollingUpgradeAction.PREPARE));
    refusedWithItsName(
        "finalizeRollingUpgrade",
        () -> client.rollingUpgrade(HdfsConstants.RollingUpgradeAction.FINALIZE));
    refused("metaSave", () -> client.metaSave("x"));
    refused(
        "listOpenFiles",
        () ->
            client.listOpenFiles(
                0,
                EnumSet.noneOf(
                    org.apache.hadoop.hdfs.protocol.OpenFilesIterator.OpenFilesType.class),
                "/"));
    for (String argument : List.of("true", "false", "check")) {
      refused("restoreFailedStorage", () -> client.restoreFailedStorage(argument));
    }
    refused("saveNamespace", () -> client.saveNamespace(0, 0));
    refused("refreshNodes", () -> client.refreshNodes());
    refused("setBalancerBandwidth", () -> client.setBalancerBandwidth(1));
    refused("listCorruptFileBlocks", () -> client.listCorruptFileBlocks("/", null));
    refused("listEncryptionZones", () -> client.listEncryptionZones(0));
    refused("setQuota", () -> client.setQuota("/", 10, 10, null));
    for (HdfsConstants.SafeModeAction action :
        List.of(
            HdfsConstants.SafeModeAction.SAFEMODE_ENTER,
            HdfsConstants.SafeModeAction.SAFEMODE_LEAVE,
            HdfsConstants.SafeModeAction.SAFEMODE_FORCE_EXIT)) {
      refused(action.name(), () -> client.setSafeMode(action, false));
    }
  }

  @Test
  void whatThereIsNotYetAsWell() {
    refused("finalizeUpgrade", () -> client.finalizeUpgrade());
    refused("rollEditLog", () -> client.rollEdits());
    refused("allowSnapshot", () -> client.allowSnapshot("/"));
    refused("disallowSnapshot", () -> client.disallowSnapshot("/"));
    refused("addCachePool", () -> client.addCachePool(new CachePoolInfo("p")));
    refused("modifyCachePool", () -> client.modifyCachePool(new CachePoolInfo("p")));
    refused("removeCachePool", () -> client.removeCachePool("p"));
    refused("createEncryptionZone", () -> client.createEncryptionZone("/", "k"));
    refused("listReencryptionStatus", () -> client.listReencryptionStatus(0));
    refused("getCurrentEditLogTxid", () -> client.getCurrentEditLogTxid());
    refused("getEditsFromTxid", () -> client.getEditsFromTxid(0));
    refused(
        "addErasureCodingPolicies",
        () -> client.addErasureCodingPolicies(new ErasureCodingPolicy[0]));
    refused("removeErasureCodingPolicy", () -> client.removeErasureCodingPolicy("p"));
    refused("enableErasureCodingPolicy", () -> client.enableErasureCodingPolicy("RS-6-3-1024k"));
    refused("disableErasureCodingPolicy", () -> client.disableErasureCodingPolicy("RS-6-3-1024k"));
    refused(
        "getECTopologyResultForPolicies",
        () -> client.getECTopologyResultForPolicies("RS-6-3-1024k"));
    refused(
        "reencryptEncryptionZone",
        () -> client.reencryptEncryptionZone("/", HdfsConstants.ReencryptAction.START));
  }

  @Test
  void whatHdfsAsksNoPrivilegeForIsEverybodys() throws IOException {
    assertThat(client.getSlowDatanodeReport()).isEmpty(); // not even in HDFS 3.5
    assertThat(client.getStats()).isNotEmpty();
    assertThat(client.getServerDefaults()).isNotNull();
    assertThat(client.setSafeMode(HdfsConstants.SafeModeAction.SAFEMODE_GET, false)).isFalse();
    assertThat(ha.getServiceStatus().isReadyToBecomeActive()).isTrue();
    assertThat(peer.versionRequest()).isNotNull();
  }

  @Test
  void whatOtherServersAsk() {
    refusedWithItsName("isUpgradeFinalized", () -> peer.isUpgradeFinalized());
    refusedWithItsName("isRollingUpgrade", () -> peer.isRollingUpgrade());
    refused("getBlockKeys", () -> peer.getBlockKeys());
    refused(
        "getBlocks",
        () ->
            peer.getBlocks(
                new DatanodeInfoBuilder().setIpAddr("127.0.0.1").build(), 1, 0, 0, null));
    refused("getNextSPSPath", () -> peer.getNextSPSPath());
    refused("getTransactionID", () -> peer.getTransactionID());
    refused("getMostRecentCheckpointTxId", () -> peer.getMostRecentCheckpointTxId());
    refused("rollEditLog", () -> peer.rollEditLog());
    refused("getEditLogManifest", () -> peer.getEditLogManifest(1));
    HAServiceProtocol.StateChangeRequestInfo byUser =
        new HAServiceProtocol.StateChangeRequestInfo(
            HAServiceProtocol.RequestSource.REQUEST_BY_USER);
    refusedWithItsName("monitorHealth", () -> ha.monitorHealth());
    refusedWithItsName("transitionToActive", () -> ha.transitionToActive(byUser));
    refusedWithItsName("transitionToStandby", () -> ha.transitionToStandby(byUser));
    refusedWithItsName("transitionToObserver", () -> ha.transitionToObserver(byUser));
    refused("startNamenodeReconfiguration", () -> reconfiguration.startReconfiguration());
    refused("getNamenodeReconfigurationStatus", () -> reconfiguration.getReconfigurationStatus());
    refused(
        "listNamenodeReconfigurableProperties",
        () -> reconfiguration.listReconfigurableProperties());
  }
}
