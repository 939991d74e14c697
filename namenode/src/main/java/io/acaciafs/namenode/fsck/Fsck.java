package io.acaciafs.namenode.fsck;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.kv.run.FailureText;
import io.acaciafs.namenode.audit.Access;
import io.acaciafs.namespace.permission.PermissionChecker;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.Date;
import java.util.List;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.namenode.NamenodeFsck;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One check, from its first line to the last, by which {@code DFSck} knows how it ended. Used by
 * one thread.
 *
 * <p>Source of the texts: HDFS 3.5's NamenodeFsck.
 */
final class Fsck {
  private static final Logger LOG = LoggerFactory.getLogger(Fsck.class);

  private final FsckServices services;
  private final FsckOptions options;
  private final UserGroupInformation user;
  private final InetSocketAddress from;
  private final PrintWriter out;
  private final ClientProtocol client;

  Fsck(
      FsckServices services,
      FsckOptions options,
      UserGroupInformation user,
      InetSocketAddress from,
      PrintWriter out) {
    this.services = services;
    this.options = options;
    this.user = user;
    this.from = from;
    this.out = out;
    this.client = services.clients().of(user, from);
  }

  /** Never fails: what goes wrong is the end of the report. */
  void run() {
    long startedMs = services.clock().millis();
    LOG.info(
        "Fsck begins user={} from={} path={} blockIds={}",
        user,
        from,
        options.path(),
        options.blockIds());
    try {
      List<String> blockIds = options.blockIds();
      if (blockIds != null) {
        reportBlocks(blockIds);
      } else {
        check(startedMs);
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("Fsck failed path={}", options.path(), e);
      ended(startedMs);
      out.println(e.getMessage() == null ? FailureText.of(e) : e.getMessage());
      out.print("\n\nFsck on path '" + options.path() + "' " + NamenodeFsck.FAILURE_STATUS);
    }
    out.flush();
  }

  private void begun(String what) {
    out.println(
        "FSCK started by "
            + user
            + " from "
            + from.getAddress()
            + what
            + " at "
            + new Date(services.clock().millis()));
  }

  private void ended(long startedMs) {
    long nowMs = services.clock().millis();
    out.println(
        "FSCK ended at " + new Date(nowMs) + " in " + (nowMs - startedMs) + " milliseconds");
  }

  private void reportBlocks(List<String> blockIds) throws IOException {
    requireSuperuser("fsck");
    begun("");
    BlockReport report = new BlockReport(services, options.has(FsckOptions.Flag.MAINTENANCE), out);
    blockIds.forEach(report::print);
  }

  /**
   * @param operation as HDFS calls it
   */
  private void requireSuperuser(String operation) throws AccessControlException {
    if (!services.isSuperuser().test(user)) {
      FsckAudit.add(
          services.audit(), user, from, new Access(false, operation, options.path(), null));
      throw PermissionChecker.superuserRequired(user.getShortUserName(), operation);
    }
  }

  private void check(long startedMs) throws IOException {
    if (options.has(FsckOptions.Flag.PROGRESS)) {
      out.println(
          "The fsck switch -showprogress is deprecated and no longer has any effect."
              + " Progress is now shown by default.");
    }
    begun(" for path " + options.path());
    HdfsFileStatus top = client.getFileInfo(options.path());
    if (top == null) {
      out.print("\n\nPath '" + options.path() + "' " + NamenodeFsck.NONEXISTENT_STATUS);
    } else if (options.has(FsckOptions.Flag.CORRUPT_FILES)) {
      requireSuperuser("listCorruptFileBlocks");
      new CorruptFileList(services, options, out).print();
    } else {
      checkTree(top, startedMs);
    }
  }

  private void checkTree(HdfsFileStatus top, long startedMs) throws IOException {
    BlockManager blocks = services.blocks();
    ClusterShape cluster = ClusterShape.of(blocks);
    FsckCounts counts = new FsckCounts();
    PolicySummary policies =
        options.has(FsckOptions.Flag.STORAGE_POLICIES) ? PolicySummary.of(client) : null;
    FileRepairs repairs =
        new FileRepairs(
            options, client, new LostAndFound(services.conf(), client, user), blocks.inspector());
    FileCheck files =
        new FileCheck(options, blocks.inspector(), cluster, repairs, policies, counts, out);
    boolean checksRights = !services.isSuperuser().test(user);
    new TreeCheck(options, client, checksRights, files, counts, TreeCheck.MOST_ENTRIES, out)
        .check(top);

    String health = counts.isHealthy() ? "HEALTHY" : "CORRUPT";
    out.println("\nStatus: " + health);
    out.println(" Number of data-nodes:\t" + cluster.liveNodes());
    out.println(" Number of racks:\t\t" + cluster.racks());
    out.println(" Total dirs:\t\t\t" + counts.dirs);
    out.println(" Total symlinks:\t\t" + counts.symlinks);
    out.println("\nReplicated Blocks:");
    out.println(
        new FsckSummary(
                counts,
                services
                    .conf()
                    .getInt(
                        DFSConfigKeys.DFS_REPLICATION_KEY, DFSConfigKeys.DFS_REPLICATION_DEFAULT),
                blocks.inspector().minReplication())
            .text());
    out.println("\nErasure Coded Block Groups:");
    out.println(FsckSummary.noErasureCoding());
    if (policies != null) {
      out.print(policies.text());
    }
    ended(startedMs);
    if (repairs.hasFailed()) {
      throw new IOException("fsck encountered internal errors!");
    }
    out.print("\n\nThe filesystem under path '" + options.path() + "' is " + health);
  }
}
