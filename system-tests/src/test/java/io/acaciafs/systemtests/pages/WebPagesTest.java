package io.acaciafs.systemtests.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.acaciafs.kv.hbase.local.FreePorts;
import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Browser;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.JmxBean;
import java.net.URL;
import java.time.Duration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the pages of a NameNode show in a browser, and what its beans say, is what is there. */
class WebPagesTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String MARKUP = "<img src=x onerror=\"document.title='mine'\">";

  @TempDir private static java.nio.file.Path folder;
  private static Cluster cluster;
  private static int httpPort;
  private static @Nullable Browser started;

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
    if (started != null) {
      started.close();
    }
    cluster.close();
  }

  private static String url(String path) {
    return "http://127.0.0.1:" + httpPort + path;
  }

  private static JsonNode bean(String name) throws Exception {
    return JmxBean.read("127.0.0.1:" + httpPort, "NameNode", name);
  }

  /** One for all tests; what needs none runs without. */
  private static Browser browser() throws Exception {
    if (started == null) {
      started = Browser.startOrSkip(folder);
    }
    return started;
  }

  /** Opens a page, and looks at it when it shows the text. */
  private String open(String page, String name, String text) throws Exception {
    Browser browser = browser();
    browser.open(url("/index.html" + page)).awaitText(text).look("page-" + name);
    assertThat(browser.complaints()).isEmpty();
    return browser.html();
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
    String html = open("", "overview", "Files and directories");
    assertThat(html)
        .contains("<dt>NameNode</dt><dd class=\"good\">ok</dd>")
        .contains("<dt>Files and directories</dt><dd class=\"\">5</dd>")
        .contains("<dt>Blocks</dt><dd class=\"\">2</dd>")
        .contains("1 live, 0 dead</a>")
        .contains("aria-current=\"page\">Overview");
  }

  /** The bar has the shares that DataNodes report. */
  @Test
  void thePictureOfTheCapacityIsTrue() throws Exception {
    Browser browser = browser();
    browser.open(url("/index.html")).awaitText("Used by other data");
    JsonNode system = bean("FSNamesystem");
    double total = system.get("CapacityTotal").asDouble();
    double whole = width(browser, "#capacity");
    assertThat(width(browser, "#capacity .used") / whole)
        .isCloseTo(system.get("CapacityUsed").asDouble() / total, within(0.01));
    assertThat(width(browser, "#capacity .other") / whole)
        .isCloseTo(system.get("CapacityUsedNonDFS").asDouble() / total, within(0.02));
    double filled = width(browser, "#capacity .other") + width(browser, "#capacity .used");
    assertThat(1 - (filled + width(browser, "#capacity .reserved")) / whole)
        .isCloseTo(system.get("CapacityRemaining").asDouble() / total, within(0.02));
  }

  private static double width(Browser browser, String selector) {
    Object width =
        browser.run(
            "return document.querySelector(arguments[0])?.getBoundingClientRect().width || 0",
            selector);
    return ((Number) width).doubleValue();
  }

  @Test
  void dataNodesAreListedAndShown() throws Exception {
    String name = "127.0.0.1:" + cluster.dataNodes().get(0).getXferPort();
    String html = open("#/datanodes", "datanodes", "DataNodes (1)");
    assertThat(html)
        .contains("1 in service</p>")
        .contains(":" + cluster.dataNodes().get(0).getXferPort())
        .contains("<span class=\"good\">in service</span>");
    JsonNode node = new ObjectMapper().readTree(new URL(url("/api/datanodes"))).at("/nodes/0");
    assertThat(node.get("name").asText()).endsWith(name.substring(name.indexOf(':')));
    assertThat(
            open(
                "#/datanodes/" + node.get("name").asText().replace(":", "%3A"), "datanode", "DISK"))
        .contains("Volumes (1)", "<dt>Rack</dt><dd class=\"\">/default-rack</dd>", "in use");
  }

  @Test
  void filesAreListedWhateverTheirNames() throws Exception {
    String html = open("#/files/a", "files", "bold");
    assertThat(html)
        .contains(">&lt;b&gt;bold 100%</a>")
        .contains("href=\"#/files/a/%3Cb%3Ebold%20100%25\"")
        .contains("<td class=\"number\">68.4 KiB</td>")
        .contains("-rw-r--r--");
  }

  @Test
  void aFileShowsWhereItsBlocksAre() throws Exception {
    String html = open("#/files/a/%3Cb%3Ebold%20100%25", "blocks", "Blocks (1)");
    assertThat(html)
        .contains("<dd class=\"\">&lt;img src=x onerror=") // an owner
        .contains("<title>/a/&lt;b&gt;bold 100% - NameNode</title>")
        .containsPattern("blk_\\d+")
        .contains(":" + cluster.dataNodes().get(0).getXferPort() + " (/default-rack)");
  }

  @Test
  void whatTheViewerMayNotSeeIsRefusedAndThePathBoxStays() throws Exception {
    assertThat(open("#/files/mine", "refused", "Permission denied: user=dr.who"))
        .contains("aria-label=\"Path\"");
    assertThat(open("#/files/no/such", "missing", "File does not exist: /no/such"))
        .contains("aria-label=\"Path\"");
  }

  @Test
  void theStoreAndTheStartAreShown() throws Exception {
    assertThat(open("#/store", "store", "inodes"))
        .contains("<dd>rocksdb</dd>")
        .contains("<td class=\"name\">inodes</td><td class=\"number\">4</td>");
    assertThat(open("#/work", "work", "Served calls after"))
        .contains("Deleted directories to be swept");
  }
}
