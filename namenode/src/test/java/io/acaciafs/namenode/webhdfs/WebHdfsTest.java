package io.acaciafs.namenode.webhdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namenode.RunningNameNode;
import java.io.File;
import java.io.FileNotFoundException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** HDFS over HTTP, as far as no DataNode has to do with it. */
@Timeout(60)
class WebHdfsTest {
  @TempDir private static File folder;
  private static RunningNameNode nameNode;
  private static DistributedFileSystem direct;
  private static FileSystem web;
  private static String me;

  @BeforeAll
  static void start() throws Exception {
    me = UserGroupInformation.getCurrentUser().getShortUserName();
    nameNode = new RunningNameNode(folder, Map.of());
    direct = nameNode.fileSystem();
    web = FileSystem.newInstance(nameNode.webHdfs(), new HdfsConfiguration());
  }

  @AfterAll
  static void stop() throws Exception {
    web.close();
    nameNode.close();
  }

  private static String as(String user, String operation) {
    return "?user.name=" + user + "&op=" + operation;
  }

  @Test
  void changesWhatRpcSees() throws Exception {
    Path file = new Path("/changes/f");
    assertThat(web.mkdirs(file.getParent(), new FsPermission((short) 0750))).isTrue();
    direct.create(file).close();
    web.setPermission(file, new FsPermission((short) 0640));
    web.setOwner(file, "alice", "people");
    web.setTimes(file, 1000, 2000);
    web.setXAttr(file, "user.a", new byte[] {1, 2});
    web.modifyAclEntries(file, AclEntry.parseAclSpec("user:bob:r--", true));
    web.setStoragePolicy(file.getParent(), "COLD");
    assertThat(web.setReplication(file, (short) 2)).isTrue();

    FileStatus status = direct.getFileStatus(file);
    assertThat(status.getPermission().toShort()).isEqualTo((short) 0640);
    assertThat(status.getOwner() + ":" + status.getGroup()).isEqualTo("alice:people");
    assertThat(status.getModificationTime()).isEqualTo(1000);
    assertThat(status.getReplication()).isEqualTo((short) 2);
    assertThat(direct.getXAttr(file, "user.a")).containsExactly(1, 2);
    assertThat(direct.getAclStatus(file).getEntries()).hasToString("[user:bob:r--, group::r--]");
    assertThat(direct.getStoragePolicy(file).getName()).isEqualTo("COLD");
    assertThat(direct.getFileStatus(file.getParent()).getPermission().toShort())
        .isEqualTo((short) 0750);

    assertThat(web.rename(file, new Path("/changes/g"))).isTrue();
    assertThat(direct.exists(new Path("/changes/g"))).isTrue();
    assertThat(web.delete(new Path("/changes"), true)).isTrue();
    assertThat(direct.exists(new Path("/changes"))).isFalse();
  }

  @Test
  void seesWhatRpcSees() throws Exception {
    for (int i = 0; i < 12; i++) {
      direct.create(new Path("/seen/d/f" + i)).close();
    }
    direct.setQuota(new Path("/seen"), 100, 1 << 20);
    assertThat(web.listStatus(new Path("/seen/d")))
        .extracting(status -> status.getPath().getName())
        .isEqualTo(
            List.of(direct.listStatus(new Path("/seen/d"))).stream()
                .map(status -> status.getPath().getName())
                .toList());
    assertThat(web.getContentSummary(new Path("/seen")))
        .isEqualTo(direct.getContentSummary(new Path("/seen")));
    assertThat(web.getQuotaUsage(new Path("/seen")).getQuota()).isEqualTo(100);
    assertThat(web.getServerDefaults(new Path("/")).getBlockSize())
        .isEqualTo(direct.getServerDefaults(new Path("/")).getBlockSize());
    assertThat(web.getAllStoragePolicies()).hasSameSizeAs(direct.getAllStoragePolicies());
    assertThat(web.getTrashRoot(new Path("/seen")).toUri().getPath())
        .isEqualTo("/user/" + me + "/.Trash");
    assertThat(web.getStatus().getCapacity()).isZero();
    assertThatThrownBy(() -> web.getFileStatus(new Path("/seen/nothing")))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("File does not exist: /seen/nothing");
  }

  @Test
  void tellsFailuresAsHdfsDoes() throws Exception {
    HttpResponse<String> absent =
        nameNode.send("GET", "/webhdfs/v1/absent" + as(me, "GETFILESTATUS"));
    assertThat(absent.statusCode()).isEqualTo(404);
    assertThat(absent.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("application/json");
    assertThat(absent.body())
        .isEqualTo(
            "{\"RemoteException\":{\"exception\":\"FileNotFoundException\","
                + "\"javaClassName\":\"java.io.FileNotFoundException\","
                + "\"message\":\"File does not exist: /absent\"}}");
    HttpResponse<String> forbidden =
        nameNode.send("PUT", "/webhdfs/v1/mine" + as("stranger", "MKDIRS"));
    assertThat(forbidden.statusCode()).isEqualTo(403);
    assertThat(forbidden.body())
        .contains("\"exception\":\"AccessControlException\"", "user=stranger, access=WRITE");
    HttpResponse<String> anonymous = nameNode.send("PUT", "/webhdfs/v1/mine?op=MKDIRS");
    assertThat(anonymous.body()).contains("user=dr.who");
    HttpResponse<String> unknown = nameNode.send("GET", "/webhdfs/v1/" + as(me, "FLY"));
    assertThat(unknown.statusCode()).isEqualTo(400);
    assertThat(unknown.body()).contains("Invalid value for webhdfs parameter \\\"op\\\"");
    HttpResponse<String> notYet = nameNode.send("PUT", "/webhdfs/v1/" + as(me, "ALLOWSNAPSHOT"));
    assertThat(notYet.statusCode()).isEqualTo(400);
    assertThat(notYet.body()).contains("UnsupportedOperationException", "allowSnapshot");
    HttpResponse<String> proxy =
        nameNode.send("GET", "/webhdfs/v1/" + as("stranger", "LISTSTATUS") + "&doas=" + me);
    assertThat(proxy.statusCode()).isEqualTo(403);
    assertThat(proxy.body()).contains("User: stranger is not allowed to impersonate " + me);
  }

  @Test
  void refusesDataWhereThereIsNobodyToSendTo() throws Exception {
    HttpResponse<String> absent = nameNode.send("GET", "/webhdfs/v1/absent" + as(me, "OPEN"));
    assertThat(absent.statusCode()).isEqualTo(404);
    assertThat(absent.body()).contains("File /absent not found.");
    HttpResponse<String> create = nameNode.send("PUT", "/webhdfs/v1/new" + as(me, "CREATE"));
    assertThat(create.statusCode()).isEqualTo(403);
    assertThat(create.body()).contains("Failed to find datanode, suggest to check cluster health");
    HttpResponse<String> nonsense =
        nameNode.send("PUT", "/webhdfs/v1/new" + as(me, "CREATE") + "&blocksize=big");
    assertThat(nonsense.statusCode()).isEqualTo(400);
    assertThat(nonsense.body()).contains("Invalid value for webhdfs parameter \\\"blocksize\\\"");
  }

  @Test
  void quotesNothingInPaths() throws Exception {
    Path path = new Path("/odd/<a> & 'b' %20+é");
    assertThat(web.mkdirs(path)).isTrue();
    assertThat(direct.getFileStatus(path).isDirectory()).isTrue();
    assertThat(web.listStatus(new Path("/odd"))[0].getPath().getName()).isEqualTo(path.getName());
  }
}
