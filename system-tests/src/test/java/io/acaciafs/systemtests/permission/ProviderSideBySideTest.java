package io.acaciafs.systemtests.permission;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a class of the site is given and asked, call by call, is what Hadoop's NameNode gives it and
 * asks; and so is what comes of the call.
 */
class ProviderSideBySideTest {
  private static final String GROUPS = "alice=staff;bob=staff,others";

  private Side ours;
  private Side hadoops;

  @BeforeEach
  void start() throws Exception {
    ours = new Side("provider", NameNodeProgram.ACACIA);
    hadoops = new Side("provider-hadoop", NameNodeProgram.HADOOP);
  }

  @AfterEach
  void stop() throws Exception {
    CallerContext.setCurrent(null);
    ours.close();
    hadoops.close();
  }

  /** A call of a client. */
  @FunctionalInterface
  private interface Call {
    void run(DistributedFileSystem client) throws IOException;
  }

  /** A NameNode with the class, and its users. */
  private static final class Side implements AutoCloseable {
    private final Cluster cluster;
    private final java.nio.file.Path recorded;
    private final DistributedFileSystem root;
    private final DistributedFileSystem alice;
    private int read;

    private Side(String name, NameNodeProgram program) throws Exception {
      recorded = Files.createTempFile(name, ".txt");
      cluster =
          Cluster.builder(name)
              .program(program)
              .dataNodes(0)
              .classes(List.of(RecordingProvider.place()))
              .set(
                  "dfs.namenode.inode.attributes.provider.class", RecordingProvider.class.getName())
              .set(RecordingProvider.FILE_KEY, recorded)
              .set("hadoop.user.group.static.mapping.overrides", GROUPS)
              .set("dfs.namenode.acls.enabled", true)
              .set("hadoop.caller.context.enabled", true)
              .start();
      root = cluster.newFileSystem();
      Configuration conf = cluster.clientConfiguration();
      alice =
          UserGroupInformation.createRemoteUser("alice")
              .doAs(
                  (PrivilegedExceptionAction<DistributedFileSystem>)
                      () -> (DistributedFileSystem) FileSystem.newInstance(cluster.uri(), conf));
    }

    /** What the class was asked, and at the end how the call ended. */
    private List<String> record(String user, Call call) throws IOException {
      news();
      String end = "done";
      try {
        call.run(user.equals("alice") ? alice : root);
      } catch (IOException | RuntimeException e) {
        end = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      }
      List<String> lines = new ArrayList<>(news());
      lines.add(end);
      return lines;
    }

    private List<String> news() throws IOException {
      List<String> all = Files.readAllLines(recorded);
      List<String> news = all.subList(read, all.size());
      read = all.size();
      return List.copyOf(news);
    }

    @Override
    public void close() throws IOException {
      alice.close();
      root.close();
      cluster.close();
      Files.delete(recorded);
    }
  }

  @SuppressWarnings("deprecation") // renames with options
  private static Map<String, Call> calls() {
    Map<String, Call> calls = new LinkedHashMap<>();
    Path all = new Path("/all");
    Path file = new Path("/all/file");
    Path closed = new Path("/closed");
    calls.put("root mkdirs", client -> client.mkdirs(new Path("/all/dir/sub")));
    calls.put(
        "root setPermission", client -> client.setPermission(all, new FsPermission((short) 0777)));
    calls.put("root create", client -> client.create(new Path("/all/dir/of-root")).close());
    calls.put("root mkdirs closed", client -> client.mkdirs(new Path("/closed/dir")));
    calls.put("root close", client -> client.setPermission(closed, new FsPermission((short) 0700)));
    calls.put(
        "root modifyAclEntries",
        client ->
            client.modifyAclEntries(
                new Path("/all/dir"), AclEntry.parseAclSpec("user:alice:rwx", true)));
    calls.put("root stat", client -> client.getFileStatus(all));
    calls.put("root stat of nothing", client -> client.getFileStatus(new Path("/none/of/it")));
    calls.put("root list", client -> client.listStatus(all));
    calls.put("root count", client -> client.getContentSummary(all));
    calls.put("root setOwner", client -> client.setOwner(new Path("/all/dir/sub"), "alice", null));
    calls.put("root setQuota", client -> client.setQuota(new Path("/all"), 1000, 1 << 30));
    calls.put(
        "root clearQuota",
        client ->
            client.setQuota(
                new Path("/all"), HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_DONT_SET));
    calls.put(
        "root trusted",
        client ->
            client.setXAttr(all, "trusted.x", new byte[] {1}, EnumSet.of(XAttrSetFlag.CREATE)));
    calls.put("root bandwidth", client -> client.setBalancerBandwidth(1_000_000));

    calls.put("alice stat of the root", client -> client.getFileStatus(new Path("/")));
    calls.put("alice list the root", client -> client.listStatus(new Path("/")));
    calls.put("alice create", client -> client.create(file).close());
    calls.put("alice create again", client -> client.create(file, true).close());
    calls.put("alice create below", client -> client.create(new Path("/all/new/file")).close());
    calls.put("alice stat", client -> client.getFileStatus(file));
    calls.put("alice stat of nothing", client -> client.getFileStatus(new Path("/all/none/of")));
    calls.put("alice behind a file", client -> client.getFileStatus(new Path("/all/file/behind")));
    calls.put("alice open", client -> client.getClient().getLocatedBlocks(file.toString(), 0));
    calls.put("alice list", client -> client.listStatus(all));
    calls.put("alice list a file", client -> client.listStatus(file));
    calls.put("alice access", client -> client.access(file, FsAction.READ_WRITE));
    calls.put("alice acl", client -> client.getAclStatus(new Path("/all/dir")));
    calls.put(
        "alice setXAttr",
        client -> client.setXAttr(file, "user.x", new byte[] {1}, EnumSet.of(XAttrSetFlag.CREATE)));
    calls.put("alice getXAttrs", client -> client.getXAttrs(file));
    calls.put("alice trusted", client -> client.getXAttr(file, "trusted.x"));
    calls.put("alice setReplication", client -> client.setReplication(file, (short) 2));
    calls.put("alice setTimes", client -> client.setTimes(file, 5, 5));
    calls.put(
        "alice setPermission",
        client -> client.setPermission(file, new FsPermission((short) 0640)));
    calls.put("alice setOwner", client -> client.setOwner(file, "bob", null));
    calls.put("alice own group", client -> client.setOwner(file, null, "staff"));
    calls.put("alice other group", client -> client.setOwner(file, null, "others"));
    calls.put(
        "alice of root",
        client -> client.setPermission(new Path("/all/dir"), new FsPermission((short) 0777)));
    calls.put("alice mkdirs", client -> client.mkdirs(new Path("/all/mine/a/b")));
    calls.put("alice mkdirs again", client -> client.mkdirs(new Path("/all/mine/a/b")));
    calls.put("alice count", client -> client.getContentSummary(new Path("/all/mine")));
    calls.put("alice quota usage", client -> client.getQuotaUsage(new Path("/all/mine")));
    calls.put("alice storage policy", client -> client.getStoragePolicy(file));
    calls.put("alice setStoragePolicy", client -> client.setStoragePolicy(file, "COLD"));
    calls.put("alice rename", client -> client.rename(file, new Path("/all/renamed")));
    calls.put(
        "alice rename into",
        client -> client.rename(new Path("/all/renamed"), new Path("/all/dir")));
    calls.put(
        "alice rename2",
        client ->
            client.rename(
                new Path("/all/dir/renamed"), new Path("/all/file"), Options.Rename.OVERWRITE));
    calls.put(
        "alice to trash",
        client ->
            client.rename(new Path("/all/mine"), new Path("/all/thrown"), Options.Rename.TO_TRASH));
    calls.put("alice append", client -> client.append(file).close());
    calls.put("alice truncate", client -> client.truncate(file, 0));
    calls.put("alice isFileClosed", client -> client.isFileClosed(file));
    calls.put("alice recoverLease", client -> client.recoverLease(file));
    calls.put(
        "alice concat", client -> client.concat(file, new Path[] {new Path("/all/new/file")}));
    calls.put("alice delete", client -> client.delete(file, false));
    calls.put("alice delete all", client -> client.delete(new Path("/all/thrown"), true));
    calls.put("alice delete roots", client -> client.delete(new Path("/all/dir"), true));
    calls.put("alice stat closed", client -> client.getFileStatus(new Path("/closed/dir")));
    calls.put("alice list closed", client -> client.listStatus(closed));
    calls.put("alice create closed", client -> client.create(new Path("/closed/file")).close());
    calls.put("alice delete closed", client -> client.delete(new Path("/closed/dir"), true));
    calls.put("alice count closed", client -> client.getContentSummary(closed));
    calls.put("alice setQuota", client -> client.setQuota(all, 1, 1));
    calls.put("alice bandwidth", client -> client.setBalancerBandwidth(1_000_000));
    calls.put("root delete", client -> client.delete(all, true));
    return calls;
  }

  @Test
  void theClassIsGivenAndAskedTheSame() throws Exception {
    CallerContext.setCurrent(new CallerContext.Builder("the-job").build());
    Map<String, List<String>> expected = new LinkedHashMap<>();
    Map<String, List<String>> given = new LinkedHashMap<>();
    for (Map.Entry<String, Call> call : calls().entrySet()) {
      String user = call.getKey().substring(0, call.getKey().indexOf(' '));
      List<String> hadoop = hadoops.record(user, call.getValue());
      List<String> acacia = ours.record(user, call.getValue());
      if (!hadoop.equals(acacia)) {
        expected.put(call.getKey(), hadoop);
        given.put(call.getKey(), acacia);
      }
    }
    assertThat(String.join("\n", lines(given))).isEqualTo(String.join("\n", lines(expected)));
  }

  private static List<String> lines(Map<String, List<String>> calls) {
    List<String> lines = new ArrayList<>();
    calls.forEach(
        (name, asked) -> {
          lines.add("== " + name);
          lines.addAll(asked);
        });
    return lines;
  }
}
