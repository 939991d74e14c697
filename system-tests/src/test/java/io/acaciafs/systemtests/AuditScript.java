package io.acaciafs.systemtests;

import io.acaciafs.systemtests.harness.Cluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.OpenFilesIterator.OpenFilesType;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.RefreshUserMappingsProtocol;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.RefreshAuthorizationPolicyProtocol;

/** Calls of nearly every kind that leaves a line in the audit log. */
final class AuditScript {
  private static final FsPermission ALL = new FsPermission((short) 0777);
  private static final FsPermission PRIVATE = new FsPermission((short) 0700);
  private static final int BLOCK_BYTES = 1 << 20;

  private final Cluster cluster;
  private final DistributedFileSystem root;

  AuditScript(Cluster cluster) {
    this.cluster = cluster;
    this.root = cluster.fileSystem();
  }

  /** Something that a file system is asked for. */
  @FunctionalInterface
  private interface Call {
    void run() throws Exception;
  }

  /** The first call makes {@code /begin}, the last {@code /end}. */
  void run() throws Exception {
    root.mkdirs(new Path("/begin"));
    reads();
    changes();
    blocks();
    attributes();
    administration();
    as(UserGroupInformation.createRemoteUser("alice"));
    as(UserGroupInformation.createProxyUser("carol", UserGroupInformation.getCurrentUser()));
    contexts();
    root.mkdirs(new Path("/end"));
  }

  private void reads() throws Exception {
    Path file = new Path("/begin/file");
    root.mkdirs(new Path("/private/below"), PRIVATE);
    root.mkdirs(new Path("/private/below"), PRIVATE);
    root.create(file).close();
    for (int i = 0; i < 4; i++) { // the later ones may be answered without being asked anew
      root.getFileStatus(file);
      root.listStatus(new Path("/begin"));
      root.open(file).close();
    }
    tried(() -> root.getFileStatus(new Path("/missing")));
    tried(() -> root.listStatus(new Path("/missing")));
    tried(() -> root.open(new Path("/missing")));
    root.listLocatedStatus(new Path("/begin")).hasNext();
    root.getClient().getLocatedFileInfo("/begin/file", true);
    root.getClient().getLocatedFileInfo("/begin/file", false);
    root.getFileLinkStatus(file);
    root.isFileClosed(file);
    root.getContentSummary(new Path("/begin"));
    root.getQuotaUsage(new Path("/begin"));
    root.access(file, FsAction.READ);
    root.batchedListStatusIterator(List.of(new Path("/begin"), new Path("/private"))).hasNext();
  }

  @SuppressWarnings("deprecation") // the older rename leaves another line
  private void changes() throws Exception {
    DFSClient client = root.getClient();
    root.create(new Path("/from")).close();
    client.rename("/from", "/to");
    client.rename("/missing", "/to");
    client.rename("/to", "/from", Options.Rename.OVERWRITE);
    client.rename("/from", "/begin");
    root.rename(new Path("/begin/from"), new Path("/from"), Options.Rename.NONE);
    tried(() -> client.rename("/missing", "/to", Options.Rename.NONE));
    root.create(new Path("/odd \"name\" é\\"), true).close();
    root.delete(new Path("/odd \"name\" é\\"), false);
    root.delete(new Path("/missing"), true);
    tried(() -> client.createSymlink("/from", "/link", true));
    tried(() -> root.mkdirs(new Path("/from/below")));
  }

  private void blocks() throws Exception {
    Path file = new Path("/blocks");
    Path other = new Path("/other");
    write(file);
    write(other);
    root.concat(file, new Path[] {other});
    root.truncate(file, BLOCK_BYTES);
    root.append(file).close();
    FSDataOutputStream open = root.append(file);
    root.isFileClosed(file);
    open.write(1);
    ((HdfsDataOutputStream) open).hsync(EnumSet.of(HdfsDataOutputStream.SyncFlag.UPDATE_LENGTH));
    open.close();
    root.recoverLease(file);
    root.setReplication(file, (short) 2);
    root.setReplication(new Path("/begin"), (short) 2);
  }

  private void write(Path file) throws IOException {
    try (FSDataOutputStream out =
        root.create(
            file,
            FsPermission.getFileDefault(),
            EnumSet.of(CreateFlag.CREATE),
            4096,
            (short) 1,
            BLOCK_BYTES,
            null)) {
      out.write(new byte[BLOCK_BYTES]);
    }
  }

  private void attributes() throws Exception {
    Path file = new Path("/from");
    Path directory = new Path("/begin");
    root.setPermission(file, new FsPermission((short) 01640));
    root.setOwner(file, "bob", "users");
    root.setOwner(directory, null, "users");
    root.setTimes(file, 1, 2);
    root.setTimes(directory, 1, -1);
    root.setQuota(directory, 100, Long.MAX_VALUE);
    root.setQuota(directory, -1, Long.MAX_VALUE);
    root.setQuota(directory, Long.MAX_VALUE, 1 << 30);
    root.setQuota(directory, Long.MAX_VALUE, -1);
    root.setQuota(directory, 100, 1 << 30);
    root.setQuotaByStorageType(directory, StorageType.SSD, 1 << 30);
    root.setStoragePolicy(file, "COLD");
    root.getStoragePolicy(file);
    root.unsetStoragePolicy(file);
    root.setXAttr(file, "user.a", new byte[] {1}, EnumSet.of(XAttrSetFlag.CREATE));
    root.getXAttr(file, "user.a");
    root.listXAttrs(file);
    root.removeXAttr(file, "user.a");
    List<AclEntry> acl = AclEntry.parseAclSpec("user:dora:rwx", true);
    root.modifyAclEntries(file, acl);
    root.getAclStatus(file);
    root.removeAclEntries(file, AclEntry.parseAclSpec("user:dora", false));
    root.removeDefaultAcl(directory);
    root.setAcl(file, AclEntry.parseAclSpec("user::rw-,group::r--,other::---,user:eve:r-x", true));
    root.removeAcl(file);
    root.setErasureCodingPolicy(directory, "replication");
    root.getErasureCodingPolicy(directory);
    root.unsetErasureCodingPolicy(directory);
    root.getAllErasureCodingPolicies();
    root.getAllErasureCodingCodecs();
    root.listCachePools().hasNext();
    root.listCacheDirectives(null).hasNext();
  }

  private void administration() throws Exception {
    root.setSafeMode(SafeModeAction.GET);
    root.setSafeMode(SafeModeAction.ENTER);
    tried(() -> root.mkdirs(new Path("/too/late")));
    root.saveNamespace();
    root.setSafeMode(SafeModeAction.LEAVE);
    root.getClient().datanodeReport(DatanodeReportType.LIVE);
    root.getClient().getDatanodeStorageReport(DatanodeReportType.LIVE);
    root.refreshNodes();
    refreshes();
    root.getClient().getNamenode().reportBadBlocks(new LocatedBlock[0]);
    root.finalizeUpgrade();
    rollingUpgrade();
    root.restoreFailedStorage("check");
    root.listOpenFiles(EnumSet.of(OpenFilesType.ALL_OPEN_FILES), "/begin").hasNext();
    root.mkdirs(new Path("/open"));
    root.setPermission(new Path("/open"), ALL);
  }

  /** What does nothing leaves no line. */
  private void rollingUpgrade() throws Exception {
    root.rollingUpgrade(RollingUpgradeAction.QUERY);
    root.rollingUpgrade(RollingUpgradeAction.FINALIZE);
    tried(() -> root.rollingUpgrade(RollingUpgradeAction.PREPARE));
    root.setSafeMode(SafeModeAction.ENTER);
    for (RollingUpgradeAction action : RollingUpgradeAction.values()) {
      tried(() -> root.rollingUpgrade(RollingUpgradeAction.PREPARE));
      tried(() -> root.rollingUpgrade(action));
      tried(() -> root.rollingUpgrade(action));
    }
    root.setSafeMode(SafeModeAction.LEAVE);
  }

  private void refreshes() throws IOException {
    proxy(RefreshAuthorizationPolicyProtocol.class).refreshServiceAcl();
    RefreshUserMappingsProtocol users = proxy(RefreshUserMappingsProtocol.class);
    users.refreshUserToGroupsMappings();
    users.refreshSuperUserGroupsConfiguration();
  }

  private <T> T proxy(Class<T> protocol) throws IOException {
    return NameNodeProxies.createProxy(root.getConf(), root.getUri(), protocol).getProxy();
  }

  /** What is somebody's own, and what is not. */
  private void as(UserGroupInformation user) throws Exception {
    user.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              try (DistributedFileSystem own = cluster.newFileSystem()) {
                ownAndOthers(own, user.getShortUserName());
              }
              return null;
            });
  }

  @SuppressWarnings("deprecation") // the older rename leaves another line
  private static void ownAndOthers(DistributedFileSystem own, String name) throws Exception {
    Path file = new Path("/open/" + name + "/file");
    own.mkdirs(file.getParent());
    own.create(file).close();
    own.setPermission(file, PRIVATE);
    own.delete(file, false);
    Path secret = new Path("/private/below");
    tried(() -> own.getFileStatus(secret));
    tried(() -> own.listStatus(new Path("/private")));
    tried(() -> own.listLocatedStatus(new Path("/private")).hasNext());
    tried(() -> own.access(new Path("/private"), FsAction.READ));
    tried(() -> own.getContentSummary(new Path("/private")));
    tried(() -> own.isFileClosed(secret));
    tried(() -> own.create(new Path("/mine")).close());
    tried(() -> own.append(new Path("/blocks")).close());
    tried(() -> own.truncate(new Path("/blocks"), 0));
    tried(() -> own.mkdirs(new Path("/begin/mine")));
    tried(() -> own.getClient().rename("/begin", "/open/begin"));
    tried(() -> own.rename(new Path("/begin"), new Path("/open/b"), Options.Rename.OVERWRITE));
    tried(() -> own.concat(new Path("/blocks"), new Path[] {new Path("/from")}));
    tried(() -> own.delete(new Path("/begin"), true));
    tried(() -> own.setPermission(new Path("/begin"), PRIVATE));
    tried(() -> own.setOwner(new Path("/begin"), "bob", null));
    tried(() -> own.setTimes(new Path("/begin"), 1, 1));
    tried(() -> own.setReplication(new Path("/from"), (short) 1));
    tried(() -> own.setQuota(new Path("/begin"), 1, Long.MAX_VALUE));
    tried(() -> own.setStoragePolicy(new Path("/begin"), "COLD"));
    tried(() -> own.setXAttr(new Path("/begin"), "user.a", new byte[0]));
    tried(() -> own.getXAttr(new Path("/begin"), "trusted.a"));
    tried(() -> own.removeAcl(new Path("/begin")));
    tried(() -> own.getAclStatus(secret));
    tried(() -> own.setSafeMode(SafeModeAction.ENTER));
    tried(own::saveNamespace);
    tried(own::refreshNodes);
    tried(() -> own.listOpenFiles().hasNext());
    tried(
        () ->
            own.batchedListStatusIterator(List.of(new Path("/private"), new Path("/open"))).next());
  }

  private void contexts() throws Exception {
    CallerContext.setCurrent(
        new CallerContext.Builder("job \"1\"")
            .setSignature("signed".getBytes(StandardCharsets.UTF_8))
            .build());
    root.getFileStatus(new Path("/begin"));
    CallerContext.setCurrent(new CallerContext.Builder("x".repeat(200)).build());
    root.getFileStatus(new Path("/begin"));
    CallerContext.setCurrent(null);
  }

  /** What comes of it is in the log. */
  private static void tried(Call call) throws Exception {
    try {
      call.run();
    } catch (IOException | RuntimeException refusal) {
      // as it may
    }
  }
}
