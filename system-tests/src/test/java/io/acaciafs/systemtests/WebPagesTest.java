package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.acaciafs.kv.hbase.local.FreePorts;
import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Browser;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.JmxBean;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the pages of a NameNode show in a browser, and what its beans say, is what is there. */
class WebPagesTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int WIDE = 1200;
  private static final int NARROW = 500;
  private static final String MARKUP = "<img src=x onerror=\"document.title='mine'\">";
  private static final int HEIGHT = 1200;
  private static final java.nio.file.Path SCREENSHOTS = java.nio.file.Path.of("screenshots");

  @TempDir private static java.nio.file.Path folder;
  private static Cluster cluster;
  private static int httpPort;

  @BeforeAll
  static void start() throws Exception {
    httpPort = FreePorts.next();
    cluster =
        Cluster.builder("web").set("dfs.namenode.http-address", "127.0.0.1:" + httpPort).start();
    new Content(1, 3000).write(cluster.fileSystem(), new Path("/a/<b>bold 100%"));
    cluster.fileSystem().setOwner(new Path("/a/<b>bold 100%"), MARKUP, MARKUP);
    new Content(2, 70_000).write(cluster.fileSystem(), new Path("/a/file"));
    cluster.fileSystem().mkdirs(new Path("/mine"), new FsPermission("700"));
    cluster.fileSystem().setPermission(new Path("/mine"), new FsPermission("700"));
    Await.until(
        "the report of both replicas",
        LIMIT,
        () -> bean("FSNamesystem").get("CapacityUsed").asLong() > 70_000);
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static String url(String path) {
    return "http://127.0.0.1:" + httpPort + path;
  }

  private static JsonNode bean(String name) throws Exception {
    return JmxBean.read("127.0.0.1:" + httpPort, "NameNode", name);
  }

  private static String open(String page, String name, int width) throws Exception {
    Optional<Browser> browser = Browser.find(folder);
    assumeTrue(browser.isPresent(), "Chromium is not installed: the pages were not looked at");
    java.nio.file.Path screenshot = SCREENSHOTS.resolve(name + ".png");
    String html = browser.get().open(url(page), width, HEIGHT, screenshot);
    assertThat(Files.size(screenshot)).isPositive();
    assertThat(html).doesNotContain("role=\"alert\">");
    return html;
  }

  @Test
  void theBeansKnowFilesBlocksAndDataNodes() throws Exception {
    JsonNode system = bean("FSNamesystem");
    assertThat(system.get("FilesTotal").asLong()).isEqualTo(5); // root, a, two files, mine
    assertThat(system.get("BlocksTotal").asLong()).isEqualTo(2);
    assertThat(system.get("NumLiveDataNodes").asInt()).isEqualTo(1);
    assertThat(system.get("CapacityTotal").asLong()).isPositive();
    JsonNode node =
        new ObjectMapper()
            .readTree(bean("NameNodeInfo").get("LiveNodes").asText())
            .elements()
            .next();
    assertThat(node.get("adminState").asText()).isEqualTo("In Service");
    assertThat(node.get("capacity").asLong()).isEqualTo(system.get("CapacityTotal").asLong());
    assertThat(node.get("lastContact").asLong()).isBetween(0L, 10L);
    JsonNode disks = bean("BlockStats").get("StorageTypeStats").get(0);
    assertThat(disks.get("key").asText()).isEqualTo("DISK");
    assertThat(disks.get("value").get("nodesInService").asInt()).isEqualTo(1);
  }

  @Test
  void theOverviewShowsHealthAndNumbers() throws Exception {
    String html = open("/index.html", "overview", WIDE);
    assertThat(html)
        .contains("<dt>NameNode</dt><dd class=\"good\">ok</dd>")
        .contains("<dt>Files and directories</dt><dd class=\"\">5</dd>")
        .contains("<dt>Blocks</dt><dd class=\"\">2</dd>")
        .contains("1 live, 0 dead</a>")
        .contains("Used by other data")
        .contains("aria-current=\"page\">Overview");
  }

  @Test
  void dataNodesAreListed() throws Exception {
    String html = open("/index.html#/datanodes", "datanodes", NARROW);
    assertThat(html)
        .contains("DataNodes (1)")
        .contains("1 in service</p>")
        .contains(":" + cluster.dataNodes().get(0).getXferPort())
        .contains("<span class=\"good\">in service</span>");
  }

  @Test
  void filesAreBrowsedWhateverTheirNames() throws Exception {
    String html = open("/index.html#/files/a", "files", NARROW);
    assertThat(html)
        .contains(">&lt;b&gt;bold 100%</a>")
        .contains("href=\"#/files/a/%3Cb%3Ebold%20100%25\"")
        .contains("<td class=\"number\">68.4 KiB</td>")
        .contains("-rw-r--r--");
  }

  @Test
  void aFileShowsWhereItsBlocksAre() throws Exception {
    String html = open("/index.html#/files/a/%3Cb%3Ebold%20100%25", "blocks", WIDE);
    assertThat(html)
        .contains("Blocks (1)")
        .contains("<dd class=\"\">&lt;img src=x onerror=") // an owner
        .contains("<title>/a/&lt;b&gt;bold 100% - NameNode</title>")
        .containsPattern("blk_\\d+")
        .contains(":" + cluster.dataNodes().get(0).getXferPort() + " (/default-rack)");
  }

  @Test
  void whatTheStaticUserMayNotSeeIsRefused() throws Exception {
    Optional<Browser> browser = Browser.find(folder);
    assumeTrue(browser.isPresent(), "Chromium is not installed: the pages were not looked at");
    String html =
        browser
            .get()
            .open(url("/index.html#/files/mine"), WIDE, HEIGHT, SCREENSHOTS.resolve("refused.png"));
    assertThat(html).contains("Permission denied: user=dr.who").contains("aria-label=\"Path\"");
  }

  @Test
  void theStoreAndTheStartAreShown() throws Exception {
    assertThat(open("/index.html#/store", "store", WIDE))
        .contains("<dd class=\"\">rocksdb</dd>")
        .contains("<td class=\"name\">inodes</td><td class=\"number\">4</td>");
    assertThat(open("/index.html#/work", "work", WIDE))
        .contains("Served calls after")
        .contains("Deleted directories to be swept");
  }
}
