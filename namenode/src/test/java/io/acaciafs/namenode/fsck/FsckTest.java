package io.acaciafs.namenode.fsck;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namenode.RunningNameNode;
import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What fsck says of a tree of empty files, by HTTP. Blocks are checked with real DataNodes. */
@Timeout(60)
class FsckTest {
  private static final long SEED = 20261121;
  private static final int DIRECTORIES = 60;

  @TempDir private static File folder;
  private static RunningNameNode nameNode;
  private static DistributedFileSystem fileSystem;
  private static String me;

  @BeforeAll
  static void start() throws Exception {
    me = UserGroupInformation.getCurrentUser().getShortUserName();
    nameNode =
        new RunningNameNode(folder, Map.of("dfs.ls.limit", "3", "acacia.symlinks.enabled", "true"));
    fileSystem = nameNode.fileSystem();
  }

  @AfterAll
  static void stop() throws Exception {
    nameNode.close();
  }

  private static String fsck(String user, String path, String... flags) throws Exception {
    StringBuilder query = new StringBuilder("/fsck?ugi=" + user);
    query.append("&path=").append(URLEncoder.encode(path, StandardCharsets.UTF_8));
    for (String flag : flags) {
      query.append('&').append(flag);
    }
    return nameNode.send("GET", query.toString()).body();
  }

  @Test
  void countsAndEndsHealthy() throws Exception {
    fileSystem.create(new Path("/counts/a & b/<f>")).close();
    fileSystem.create(new Path("/counts/f")).close();
    fileSystem
        .getClient()
        .getNamenode()
        .createSymlink("/counts/f", "/counts/link", FsPermission.getDefault(), false);

    String report = fsck(me, "/counts", "files=1", "blocks=1");

    assertThat(report.lines())
        .contains(
            "/counts <dir>",
            "/counts/a & b <dir>",
            "/counts/a & b/<f> 0 bytes, replicated: replication=3, 0 block(s):  OK",
            "/counts/link <symlink>",
            "Status: HEALTHY",
            " Number of data-nodes:\t0",
            " Total dirs:\t\t\t2",
            " Total symlinks:\t\t1",
            " Total files:\t2",
            " Total blocks (validated):\t0",
            " Average block replication:\t0.0");
    assertThat(report)
        .startsWith("FSCK started by " + me + " (auth:SIMPLE) from /127.0.0.1 for path /counts at ")
        .endsWith("\n\nThe filesystem under path '/counts' is HEALTHY");
    assertThat(fsck(me, "/counts/a & b", "files=1"))
        .endsWith("The filesystem under path '/counts/a & b' is HEALTHY");
  }

  @Test
  void doesForPagesOfOtherSitesNothingButReport() throws Exception {
    for (String flag : List.of("delete=1", "move=1", "replicate=1", "files=1&delete")) {
      assertThat(statusForPage("/", flag, "cross-site")).as(flag).isEqualTo(403);
      assertThat(statusForPage("/", flag, "same-site")).as(flag).isEqualTo(403);
      assertThat(statusForPage("/", flag, "same-origin")).as(flag).isEqualTo(200);
      assertThat(fsck(me, "/", flag)).as(flag).endsWith("HEALTHY"); // as Hadoop's client asks
    }
    assertThat(statusForPage("/", "files=1", "cross-site")).isEqualTo(200);
  }

  private static int statusForPage(String path, String flag, String site) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(nameNode.http("/fsck?ugi=" + me + "&path=" + path + "&" + flag))
            .header("Sec-Fetch-Site", site)
            .build();
    return HttpClient.newHttpClient()
        .send(request, HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  @Test
  void saysThatAPathIsNotThere() throws Exception {
    assertThat(fsck(me, "/nothing")).endsWith("\n\nPath '/nothing' does not exist");
  }

  @Test
  void failsWhereTheUserMayNotLook() throws Exception {
    fileSystem.mkdirs(new Path("/secret/d"));
    fileSystem.create(new Path("/secret/d/f")).close();
    fileSystem.setPermission(new Path("/secret/d/f"), new FsPermission((short) 0600));

    assertThat(fsck("stranger", "/secret"))
        .contains("Permission denied: user=stranger, access=READ, inode=\"/secret/d/f\"")
        .endsWith("\n\nFsck on path '/secret' FAILED");
    assertThat(fsck(me, "/secret")).endsWith("HEALTHY");
  }

  @Test
  void tellsOnlyTheSuperuserOfBlocksAndDamage() throws Exception {
    String refusal =
        "Access denied for user stranger. Superuser privilege is required for operation ";
    assertThat(fsck("stranger", "/", "listcorruptfileblocks=1").lines())
        .contains(refusal + "listCorruptFileBlocks");
    assertThat(fsck("stranger", "/", "blockId=blk_1").lines()).contains(refusal + "fsck");
    assertThat(fsck(me, "/", "listcorruptfileblocks=1").lines())
        .contains("Cookie:\t0", "The filesystem under path '/' has no CORRUPT files");
    assertThat(fsck(me, "/", "blockId=blk_1+nonsense").lines())
        .contains("Block blk_1 does not exist", "Incorrect blockId format: nonsense");
  }

  @Test
  void walksInTheOrderOfNamesHoweverFewEntriesItMayHold() throws Exception {
    Random random = new Random(SEED);
    List<String> directories = new ArrayList<>(List.of("/walk"));
    for (int i = 0; i < DIRECTORIES; i++) {
      String parent = directories.get(random.nextInt(directories.size()));
      String path = parent + "/d" + random.nextInt(1000);
      fileSystem.mkdirs(new Path(path));
      fileSystem.create(new Path(path + "/f" + i)).close();
      directories.add(path);
    }
    List<String> expected = all(fileSystem.getFileStatus(new Path("/walk"))).toList();
    for (int mostEntries : new int[] {0, 4, 1000}) {
      assertThat(walk("/walk", mostEntries)).as("%s entries", mostEntries).isEqualTo(expected);
    }
  }

  private static List<String> walk(String path, int mostEntries) throws Exception {
    ClientProtocol client = fileSystem.getClient().getNamenode();
    FsckOptions options = FsckOptions.of("files=1&path=" + path);
    FsckCounts counts = new FsckCounts();
    StringWriter report = new StringWriter();
    try (PrintWriter out = new PrintWriter(report)) {
      FileCheck files =
          new FileCheck(
              options,
              null,
              new ClusterShape(0, 0),
              new FileRepairs(options, client, null, null),
              null,
              counts,
              out);
      new TreeCheck(options, client, false, files, counts, mostEntries, out)
          .check(client.getFileInfo(path));
    }
    return report.toString().lines().filter(line -> !line.isBlank()).toList();
  }

  private static Stream<String> all(FileStatus status) {
    String path = status.getPath().toUri().getPath();
    if (status.isFile()) {
      return Stream.of(path + " 0 bytes, replicated: replication=3, 0 block(s):  OK");
    }
    try {
      Stream<String> below =
          Stream.of(fileSystem.listStatus(status.getPath())).flatMap(FsckTest::all);
      return Stream.concat(Stream.of(path + " <dir>"), below.toList().stream());
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
