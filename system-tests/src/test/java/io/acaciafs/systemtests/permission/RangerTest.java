package io.acaciafs.systemtests.permission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Apache Ranger's plug-in for HDFS, as it was published, decides by the policies in its cache while
 * its server cannot be reached.
 */
class RangerTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private static java.nio.file.Path folder;

  private static Cluster cluster;
  private static DistributedFileSystem root;
  private static DistributedFileSystem alice;

  @BeforeAll
  static void start() throws Exception {
    java.nio.file.Path cache = Files.createDirectory(folder.resolve("policies"));
    try (InputStream policies =
        RangerTest.class.getResourceAsStream("/permission/ranger-policies.json")) {
      Files.copy(policies, cache.resolve("hdfs_files.json"));
    }
    write(
        "ranger-hdfs-security.xml",
        Map.of(
            "ranger.plugin.hdfs.service.name", "files",
            "ranger.plugin.hdfs.policy.source.impl",
                "org.apache.ranger.admin.client.RangerAdminRESTClient",
            "ranger.plugin.hdfs.policy.rest.url", "http://127.0.0.1:1",
            "ranger.plugin.hdfs.policy.cache.dir", cache.toString(),
            "xasecure.add-hadoop-authorization", "true"));
    write(
        "ranger-hdfs-audit.xml",
        Map.of(
            "xasecure.audit.is.enabled", "true",
            "xasecure.audit.destination.log4j", "true",
            "xasecure.audit.destination.log4j.logger", "ranger.audit"));
    List<String> classes = new ArrayList<>(List.of(folder.toString()));
    String jars =
        Files.readString(java.nio.file.Path.of(System.getProperty("acacia.ranger.classpath")));
    classes.addAll(List.of(jars.trim().split(File.pathSeparator)));
    cluster =
        Cluster.builder("ranger")
            .classes(classes)
            .set(
                "dfs.namenode.inode.attributes.provider.class",
                "org.apache.ranger.authorization.hadoop.RangerHdfsAuthorizer")
            .set("hadoop.user.group.static.mapping.overrides", "alice=staff")
            .start();
    root = cluster.newFileSystem();
    Configuration conf = cluster.clientConfiguration();
    alice =
        UserGroupInformation.createRemoteUser("alice")
            .doAs(
                (PrivilegedExceptionAction<DistributedFileSystem>)
                    () -> (DistributedFileSystem) FileSystem.newInstance(cluster.uri(), conf));
    for (String each : List.of("/open", "/closed", "/staff", "/plain", "/hidden")) {
      root.mkdirs(new Path(each, "dir"));
      Path file = new Path(each, "file");
      try (FSDataOutputStream out = root.create(file)) {
        out.writeUTF(each);
      }
      boolean isPublic = each.equals("/closed") || each.equals("/plain");
      root.setPermission(file, new FsPermission((short) (isPublic ? 0666 : 0600)));
      root.setPermission(new Path(each), new FsPermission((short) (isPublic ? 0777 : 0700)));
    }
  }

  private static void write(String file, Map<String, String> settings) throws IOException {
    Configuration conf = new Configuration(false);
    settings.forEach(conf::set);
    try (OutputStream out = Files.newOutputStream(folder.resolve(file))) {
      conf.writeXml(out);
    }
  }

  @AfterAll
  static void stop() throws Exception {
    if (alice != null) {
      alice.close();
      root.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  private static String read(String file) throws IOException {
    try (FSDataInputStream in = alice.open(new Path(file))) {
      return in.readUTF();
    }
  }

  /** A line of Ranger's audit of alice's calls. */
  private static void awaitAudit(String resource, String access, int result, String enforcer)
      throws Exception {
    Await.until(
        "an audit of " + access + " on " + resource,
        LIMIT,
        () ->
            cluster.nameNode().log().stream()
                .anyMatch(
                    line ->
                        line.contains("\"logType\":\"RangerAudit\"")
                            && line.contains("\"reqUser\":\"alice\"")
                            && line.contains("\"resource\":\"" + resource + "\"")
                            && line.contains("\"access\":\"" + access + "\"")
                            && line.contains("\"result\":" + result)
                            && line.contains("\"enforcer\":\"" + enforcer + "\"")));
  }

  @Test
  void aPolicyAllowsMoreThanTheMode() throws Exception {
    assertThat(alice.listStatus(new Path("/open"))).hasSize(2);
    assertThat(read("/open/file")).isEqualTo("/open");
    assertThatThrownBy(() -> alice.create(new Path("/open/mine")))
        .isInstanceOf(AccessControlException.class)
        .hasMessageStartingWith("Permission denied: user=alice, access=EXECUTE, inode=\"/open\":");
    awaitAudit("/open/file", "READ", 1, "ranger-acl");
  }

  @Test
  void aPolicyDeniesWithinTheMode() throws Exception {
    assertThatThrownBy(() -> alice.listStatus(new Path("/closed")))
        .isExactlyInstanceOf(AccessControlException.class)
        .hasMessageContaining("Permission denied: user=alice, access=")
        .hasMessageContaining("inode=\"/closed\"");
    assertThatThrownBy(() -> read("/closed/file")).isInstanceOf(AccessControlException.class);
    assertThatThrownBy(() -> alice.delete(new Path("/closed/file"), false))
        .isInstanceOf(AccessControlException.class);
    assertThat(root.exists(new Path("/closed/file"))).isTrue();
    awaitAudit("/closed/file", "READ", 0, "ranger-acl");
  }

  @Test
  void aPolicyForAGroupLetsItsUsersDoAll() throws Exception {
    Path dir = new Path("/staff/a/b");
    assertThat(alice.mkdirs(dir)).isTrue();
    try (FSDataOutputStream out = alice.create(new Path(dir, "file"))) {
      out.writeUTF("mine");
    }
    assertThat(alice.rename(new Path(dir, "file"), new Path("/staff/moved"))).isTrue();
    assertThat(read("/staff/moved")).isEqualTo("mine");
    assertThat(alice.delete(new Path("/staff/a"), true)).isTrue();
    assertThat(alice.delete(new Path("/staff/dir"), true)).isTrue();
  }

  @Test
  void withoutAPolicyHdfsDecides() throws Exception {
    assertThat(read("/plain/file")).isEqualTo("/plain");
    assertThatThrownBy(() -> read("/hidden/file"))
        .isInstanceOf(AccessControlException.class)
        .hasMessageStartingWith("Permission denied: user=alice, access=EXECUTE, inode=\"/hidden\":")
        .hasMessageEndingWith(":drwx------");
    awaitAudit("/plain/file", "READ", 1, "hadoop-acl");
    awaitAudit("/hidden/file", "READ", 0, "hadoop-acl");
  }
}
