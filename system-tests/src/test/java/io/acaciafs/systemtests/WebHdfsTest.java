package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Data over HTTP: the NameNode sends clients to DataNodes, and these ask it over RPC. */
class WebHdfsTest {
  private static final int LENGTH_BYTES = 300_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir static java.nio.file.Path folder;

  private static Cluster cluster;
  private static FileSystem web;
  private static String me;

  private final HttpClient http = HttpClient.newHttpClient();

  @BeforeAll
  static void start() throws Exception {
    me = UserGroupInformation.getCurrentUser().getShortUserName();
    cluster =
        Cluster.builder("webhdfs")
            .dataNodes(3)
            .set("dfs.replication", 2)
            .set("hadoop.proxyuser.gateway.hosts", "127.0.0.1")
            .set("hadoop.proxyuser.gateway.users", me)
            .start();
    web = FileSystem.newInstance(URI.create(uri("")), cluster.clientConfiguration());
  }

  @AfterAll
  static void stop() throws Exception {
    web.close();
    cluster.close();
  }

  private static String uri(String path) {
    return "webhdfs://127.0.0.1:" + cluster.httpPort() + path;
  }

  private HttpResponse<String> send(String method, String pathAndQuery) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + cluster.httpPort() + "/webhdfs/v1" + pathAndQuery);
    return http.send(
        HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static String shell(String... arguments) throws Exception {
    PrintStream out = System.out;
    ByteArrayOutputStream captured = new ByteArrayOutputStream();
    try (PrintStream stream = new PrintStream(captured, true, StandardCharsets.UTF_8)) {
      System.setOut(stream);
      assertThat(ToolRunner.run(new FsShell(cluster.clientConfiguration()), arguments)).isZero();
    } finally {
      System.setOut(out);
    }
    return captured.toString(StandardCharsets.UTF_8);
  }

  @Test
  void shellPutsListsAndReads() throws Exception {
    java.nio.file.Path local = Files.writeString(folder.resolve("local"), "some text\n");
    shell("-mkdir", "-p", uri("/shell"));
    shell("-put", local.toString(), uri("/shell/f"));
    shell("-appendToFile", local.toString(), uri("/shell/f"));
    assertThat(shell("-cat", uri("/shell/f"))).isEqualTo("some text\nsome text\n");
    assertThat(shell("-ls", uri("/shell")))
        .contains("Found 1 items", "-rw-r--r--   2 " + me + " supergroup         20 ", "/shell/f");
    assertThat(shell("-checksum", uri("/shell/f")).split("\t")[1])
        .isEqualTo(shell("-checksum", "/shell/f").split("\t")[1]);
    assertThat(shell("-cat", "/shell/f")).isEqualTo("some text\nsome text\n");
    shell("-rm", "-r", "-skipTrash", uri("/shell"));
    assertThat(cluster.fileSystem().exists(new Path("/shell"))).isFalse();
  }

  @Test
  void readsFromAnyPlaceInAFile() throws Exception {
    Content content = new Content(3, LENGTH_BYTES);
    content.write(web, new Path("/f"));
    assertThat(Content.read(cluster.fileSystem(), new Path("/f"))).isEqualTo(content.bytes());
    byte[] part = new byte[1000];
    try (var in = web.open(new Path("/f"))) {
      in.readFully(LENGTH_BYTES / 2, part);
    }
    assertThat(part)
        .isEqualTo(
            Arrays.copyOfRange(content.bytes(), LENGTH_BYTES / 2, LENGTH_BYTES / 2 + part.length));
    assertThatThrownBy(() -> web.open(new Path("/nothing")).read())
        .isInstanceOf(FileNotFoundException.class);
    HttpResponse<String> beyond =
        send("GET", "/f?op=OPEN&user.name=" + me + "&offset=" + LENGTH_BYTES);
    assertThat(beyond.statusCode()).isEqualTo(403);
    assertThat(beyond.body())
        .contains(
            "Offset="
                + LENGTH_BYTES
                + " out of the range [0, "
                + LENGTH_BYTES
                + "); OPEN, path=/f");
  }

  @Test
  void redirectsToADataNodeWithTheBytesAndWithAllThatItNeeds() throws Exception {
    Path file = new Path("/redirect & more/f");
    try (FSDataOutputStream out = cluster.fileSystem().create(file)) {
      out.write(1);
    }
    HttpResponse<String> open =
        send(
            "GET",
            "/redirect%20&%20more/f?op=OPEN&user.name=" + me + "&offset=0&length=1&buffersize=512");
    assertThat(open.statusCode()).isEqualTo(307);
    URI target = URI.create(open.headers().firstValue("Location").orElseThrow());
    assertThat(target.getPath()).isEqualTo("/webhdfs/v1/redirect & more/f");
    assertThat(target.getQuery().split("&"))
        .containsExactlyInAnyOrder(
            "op=OPEN",
            "user.name=" + me,
            "namenoderpcaddress=127.0.0.1:" + cluster.port(),
            "buffersize=512",
            "length=1",
            "offset=0");
    assertThat(target.getPort()).isIn(infoPortsOf(file));

    String path = "/redirect%20&%20more/f?op=GETFILECHECKSUM&noredirect=true&user.name=" + me;
    HttpResponse<String> told = send("GET", path);
    assertThat(told.statusCode()).isEqualTo(200);
    assertThat(URI.create(JSON.readTree(told.body()).get("Location").asText()).getPort())
        .isIn(infoPortsOf(file));
  }

  private static Set<Object> infoPortsOf(Path file) throws IOException {
    return Arrays.stream(
            cluster
                .fileSystem()
                .getClient()
                .getLocatedBlocks(file.toString(), 0)
                .get(0)
                .getLocations())
        .map(node -> node.getInfoPort())
        .collect(Collectors.toSet());
  }

  @Test
  void sendsNobodyToADataNodeThatHeExcludes() throws Exception {
    String excluded = cluster.dataNodes().get(0).getDatanodeId().getXferAddr();
    int excludedPort = cluster.dataNodes().get(0).getInfoPort();
    Set<Integer> seen = new HashSet<>();
    for (int i = 0; i < 20; i++) {
      HttpResponse<String> create =
          send(
              "PUT",
              "/new?op=CREATE&noredirect=true&user.name=" + me + "&excludedatanodes=" + excluded);
      seen.add(URI.create(JSON.readTree(create.body()).get("Location").asText()).getPort());
    }
    assertThat(seen).doesNotContain(excludedPort).isNotEmpty();
    HttpResponse<String> none =
        send(
            "PUT",
            "/new?op=CREATE&user.name="
                + me
                + "&excludedatanodes="
                + cluster.dataNodes().stream()
                    .map(node -> node.getDatanodeId().getXferAddr())
                    .collect(Collectors.joining(",")));
    assertThat(none.statusCode()).isEqualTo(403);
    assertThat(none.body()).contains("Failed to find datanode");
  }

  @Test
  void actsForAnotherUserWhereThatIsAllowed() throws Exception {
    Configuration conf = cluster.clientConfiguration();
    UserGroupInformation proxy =
        UserGroupInformation.createProxyUser(me, UserGroupInformation.createRemoteUser("gateway"));
    try (FileSystem asMe =
        proxy.doAs(
            (PrivilegedExceptionAction<FileSystem>)
                () -> FileSystem.newInstance(URI.create(uri("")), conf))) {
      try (FSDataOutputStream out = asMe.create(new Path("/proxied/f"))) {
        out.write(7);
      }
      assertThat(asMe.getFileStatus(new Path("/proxied/f")).getOwner()).isEqualTo(me);
    }
  }
}
