package io.acaciafs.systemtests.features;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CacheFlag;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.ReencryptAction;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReportListing;
import org.apache.hadoop.hdfs.protocol.SystemErasureCodingPolicies;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;

/**
 * A call that asks for a feature which may be absent.
 *
 * @param name says what is asked
 * @param call on the protocol itself, past the client's own checks; what it returns has a text
 */
record FeatureCall(String name, Call call) {

  /** A call on the protocol. */
  @FunctionalInterface
  interface Call {
    Object on(ClientProtocol nameNode) throws IOException;
  }

  /** A call that returns nothing. */
  @FunctionalInterface
  private interface Action {
    void on(ClientProtocol nameNode) throws IOException;
  }

  private static final ErasureCodingPolicy XOR =
      SystemErasureCodingPolicies.getByName("XOR-2-1-1024k");
  private static final String NO_PATH = "/some/none";
  private static final List<String> PATHS =
      List.of(
          "/",
          "/some",
          "/some/dir",
          "/some/good",
          NO_PATH,
          "/some/none/below",
          "/closed/dir",
          "/.reserved");

  /** All of them, in the order in which they are to be made. */
  static List<FeatureCall> all() {
    List<FeatureCall> all = new ArrayList<>();
    erasureCoding(all);
    caching(all);
    snapshots(all);
    encryption(all);
    tokens(all);
    upgrades(all);
    return all;
  }

  /** Those that would have something come into being that Acacia does not have. */
  static List<FeatureCall> beginnings() {
    List<FeatureCall> all = new ArrayList<>();
    add(all, "set a policy", n -> n.setErasureCodingPolicy("/some", "RS-6-3-1024k"));
    add(all, "enable a policy", n -> n.enableErasureCodingPolicy("RS-6-3-1024k"));
    answer(
        all,
        "create with a policy",
        n -> create(n, "/some/coded", "RS-6-3-1024k", CreateFlag.CREATE));
    add(all, "add a pool", n -> n.addCachePool(new CachePoolInfo("p")));
    add(all, "allow snapshots", n -> n.allowSnapshot("/some"));
    add(all, "follow the edits", n -> n.getEditsFromTxid(0));
    return all;
  }

  private static void erasureCoding(List<FeatureCall> all) {
    for (String path : PATHS) {
      add(all, "unset of nothing " + path, n -> n.unsetErasureCodingPolicy(path));
      for (String policy : List.of("replication", "REPLICATION", "no-such-policy", "")) {
        add(all, "set " + policy + " " + path, n -> n.setErasureCodingPolicy(path, policy));
        answer(all, "get after " + policy + " " + path, n -> n.getErasureCodingPolicy(path));
        answer(all, "attributes after " + policy + " " + path, n -> n.listXAttrs(path));
        answer(all, "status after " + policy + " " + path, n -> status(n, path));
      }
      add(all, "unset " + path, n -> n.unsetErasureCodingPolicy(path));
      add(all, "unset again " + path, n -> n.unsetErasureCodingPolicy(path));
      answer(all, "create in " + path, n -> create(n, path + "/a", "", CreateFlag.CREATE));
      answer(
          all,
          "replicate in " + path,
          n -> create(n, path + "/b", "", CreateFlag.CREATE, CreateFlag.SHOULD_REPLICATE));
      answer(
          all,
          "create replicated in " + path,
          n -> create(n, path + "/c", "replication", CreateFlag.CREATE));
      answer(
          all,
          "create of no policy in " + path,
          n -> create(n, path + "/d", "no-such-policy", CreateFlag.CREATE));
      answer(
          all,
          "create of two minds in " + path,
          n ->
              create(
                  n, path + "/e", "replication", CreateFlag.CREATE, CreateFlag.SHOULD_REPLICATE));
    }
    answer(all, "policies", n -> List.of(n.getErasureCodingPolicies()));
    answer(all, "codecs", ClientProtocol::getErasureCodingCodecs);
    answer(all, "topology", n -> topology(n));
    answer(
        all, "topology for all", n -> topology(n, "RS-6-3-1024k", "XOR-2-1-1024k", "replication"));
    answer(all, "topology for none", n -> topology(n, "no-such-policy"));
    add(all, "disable", n -> n.disableErasureCodingPolicy("XOR-2-1-1024k"));
    add(all, "disable none", n -> n.disableErasureCodingPolicy("no-such-policy"));
    add(all, "enable none", n -> n.enableErasureCodingPolicy("no-such-policy"));
    add(all, "remove", n -> n.removeErasureCodingPolicy("XOR-2-1-1024k"));
    add(all, "remove none", n -> n.removeErasureCodingPolicy("no-such-policy"));
    answer(all, "add", n -> List.of(n.addErasureCodingPolicies(new ErasureCodingPolicy[] {XOR})));
    answer(all, "statistics", ClientProtocol::getECBlockGroupStats);
  }

  private static void caching(List<FeatureCall> all) {
    answer(all, "pools", n -> n.listCachePools("").size());
    answer(all, "directives", n -> n.listCacheDirectives(0, null).size());
    answer(all, "directive 7", n -> n.listCacheDirectives(0, directive().setId(7L).build()));
    answer(
        all,
        "directives of a path",
        n -> n.listCacheDirectives(0, directive().setPath(new Path("/some")).build()).size());
    answer(
        all,
        "directives of a pool",
        n -> n.listCacheDirectives(0, directive().setPool("p").build()).size());
    answer(
        all,
        "directives by replication",
        n -> n.listCacheDirectives(0, directive().setReplication((short) 1).build()));
    for (long id : new long[] {-1, 0, 1, Long.MAX_VALUE}) {
      add(all, "remove directive " + id, n -> n.removeCacheDirective(id));
      add(
          all,
          "modify directive " + id,
          n -> n.modifyCacheDirective(directive().setId(id).build(), EnumSet.of(CacheFlag.FORCE)));
    }
    add(
        all,
        "modify no directive",
        n -> n.modifyCacheDirective(directive().build(), EnumSet.of(CacheFlag.FORCE)));
    for (String pool : new String[] {"p", "", null}) {
      answer(
          all,
          "add to pool " + pool,
          n ->
              n.addCacheDirective(
                  directive().setPath(new Path("/some")).setPool(pool).build(),
                  EnumSet.of(CacheFlag.FORCE)));
    }
    add(all, "modify pool", n -> n.modifyCachePool(new CachePoolInfo("p")));
    add(
        all,
        "modify pool with a limit below 0",
        n -> n.modifyCachePool(new CachePoolInfo("p").setLimit(-5L)));
    add(all, "remove pool", n -> n.removeCachePool("p"));
    add(all, "remove pool without a name", n -> n.removeCachePool(""));
    add(
        all,
        "add a pool with a limit below 0",
        n -> n.addCachePool(new CachePoolInfo("p").setLimit(-5L)));
  }

  private static CacheDirectiveInfo.Builder directive() {
    return new CacheDirectiveInfo.Builder();
  }

  private static void snapshots(List<FeatureCall> all) {
    answer(all, "snapshottable directories", n -> Arrays.toString(n.getSnapshottableDirListing()));
    for (String path : PATHS.subList(0, PATHS.size() - 1)) {
      for (String name : List.of("s", "", "a/b", ".snapshot", "a:b")) {
        answer(all, "create snapshot " + name + " of " + path, n -> n.createSnapshot(path, name));
        add(
            all,
            "rename snapshot to " + name + " of " + path,
            n -> n.renameSnapshot(path, "s", name));
        add(all, "delete snapshot " + name + " of " + path, n -> n.deleteSnapshot(path, name));
      }
      add(all, "disallow snapshots of " + path, n -> n.disallowSnapshot(path));
      answer(all, "snapshots of " + path, n -> Arrays.toString(n.getSnapshotListing(path)));
      answer(all, "difference below " + path, n -> n.getSnapshotDiffReport(path, "", ""));
      answer(all, "difference since s below " + path, n -> n.getSnapshotDiffReport(path, "s", "t"));
      answer(
          all,
          "difference by pages below " + path,
          n -> text(n.getSnapshotDiffReportListing(path, "", "", new byte[0], -1)));
    }
  }

  private static void encryption(List<FeatureCall> all) {
    answer(all, "zones", n -> n.listEncryptionZones(0).size());
    answer(all, "reencryptions", n -> n.listReencryptionStatus(0).size());
    answer(all, "key", ClientProtocol::getDataEncryptionKey);
    answer(all, "key provider", n -> n.getServerDefaults().getKeyProviderUri());
    for (String path : PATHS) {
      answer(all, "zone of " + path, n -> n.getEZForPath(path));
      answer(all, "enclosing root of " + path, n -> n.getEnclosingRoot(path));
      add(all, "create zone " + path, n -> n.createEncryptionZone(path, "key"));
      add(all, "reencrypt " + path, n -> n.reencryptEncryptionZone(path, ReencryptAction.START));
    }
  }

  private static void tokens(List<FeatureCall> all) {
    answer(all, "token", n -> n.getDelegationToken(new Text("renewer")));
    for (String renewer : List.of("somebody", "")) {
      Token<DelegationTokenIdentifier> expired = token(renewer, 1);
      add(all, "renew an old token for " + renewer, n -> n.renewDelegationToken(expired));
      add(all, "cancel an old token for " + renewer, n -> n.cancelDelegationToken(expired));
      Token<DelegationTokenIdentifier> unknown = token(renewer, Long.MAX_VALUE);
      add(all, "renew a token for " + renewer, n -> n.renewDelegationToken(unknown));
      add(all, "cancel a token for " + renewer, n -> n.cancelDelegationToken(unknown));
    }
  }

  private static Token<DelegationTokenIdentifier> token(String renewer, long maxDateMs) {
    DelegationTokenIdentifier id =
        new DelegationTokenIdentifier(new Text("somebody"), new Text(renewer), null);
    id.setMaxDate(maxDateMs);
    return new Token<>(id.getBytes(), new byte[20], id.getKind(), new Text("service"));
  }

  private static void upgrades(List<FeatureCall> all) {
    add(all, "finalize the upgrade", ClientProtocol::finalizeUpgrade);
    answer(all, "upgrade finalized", ClientProtocol::upgradeStatus);
    answer(
        all,
        "begin of a rolling upgrade without safe mode",
        n -> n.rollingUpgrade(RollingUpgradeAction.PREPARE));
    answer(all, "rolling upgrade", n -> n.rollingUpgrade(RollingUpgradeAction.QUERY));
    answer(all, "end of a rolling upgrade", n -> n.rollingUpgrade(RollingUpgradeAction.FINALIZE));
    for (String what : List.of("check", "true", "check", "false", "other", "check")) {
      answer(all, "restore failed storage: " + what, n -> n.restoreFailedStorage(what));
    }
    for (String path : PATHS) {
      add(all, "satisfy the policy of " + path, n -> n.satisfyStoragePolicy(path));
    }
  }

  private static Object topology(ClientProtocol n, String... policies) throws IOException {
    return n.getECTopologyResultForPolicies(policies).getResultMessage();
  }

  private static Object text(SnapshotDiffReportListing listing) {
    return listing.getModifyList().size()
        + listing.getCreateList().size()
        + listing.getDeleteList().size()
        + " entries, from earlier "
        + listing.getIsFromEarlier()
        + ", index "
        + listing.getLastIndex();
  }

  private static Object status(ClientProtocol n, String path) throws IOException {
    var status = n.getFileInfo(path);
    return status == null ? null : status.getErasureCodingPolicy() + " " + status.isErasureCoded();
  }

  private static Object create(
      ClientProtocol n, String path, String policy, CreateFlag first, CreateFlag... more)
      throws IOException {
    var status =
        n.create(
            path,
            new FsPermission((short) 0755),
            "client",
            new EnumSetWritable<>(EnumSet.of(first, more)),
            false,
            (short) 2,
            1 << 20,
            CryptoProtocolVersion.supported(),
            policy,
            null);
    return status.getErasureCodingPolicy() + " " + status.getReplication();
  }

  private static void add(List<FeatureCall> all, String name, Action action) {
    answer(
        all,
        name,
        nameNode -> {
          action.on(nameNode);
          return "done";
        });
  }

  private static void answer(List<FeatureCall> all, String name, Call call) {
    all.add(new FeatureCall(name, call));
  }

  @Override
  public String toString() {
    return name;
  }
}
