package io.acaciafs.systemtests.secure;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Browser;
import io.acaciafs.systemtests.harness.HadoopKdc;
import io.acaciafs.systemtests.harness.SecureCluster;
import io.acaciafs.systemtests.pages.FileActions;
import io.acaciafs.systemtests.pages.PageTour;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The pages of NameNodes with Kerberos, by HTTPS, in the browsers of users, which show their
 * tickets by SPNEGO.
 */
@Tag("long")
class SecurePagesTest {
  private static final Map<String, String> SETTINGS = Map.of("fs.trash.interval", "60");
  private static final Pattern DATANODE = Pattern.compile("Name: \\S+:(\\d+) ");

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"rocksdb", "raft", "hbase"})
  void theViewerIsTheUserOfTheTicket(String engine) throws Exception {
    try (SecureCluster cluster = start(engine)) {
      SecureProgramsTest.prepare(cluster);
      shell(cluster, PageTour.preparation());
      int leader = engine.equals("raft") ? SecureTrioTest.leader(cluster) : 0;
      try (Browser browser = browserOf(cluster, "alice")) {
        useFiles(browser, cluster.pages(leader));
      }
      assertThat(cluster.as("alice", "fs -ls /user/alice").get(0).text())
          .contains("alice workers", "/user/alice/made", "/user/alice/up");
      assertThat(cluster.audit(leader))
          .anyMatch(
              line -> line.contains("ugi=alice (auth:KERBEROS)") && line.contains("cmd=mkdirs"));
      try (Browser browser = browserOf(cluster, "hdfs")) {
        tour(cluster, browser, engine, leader);
        int next = engine.equals("raft") ? afterFailover(cluster, leader) : leader;
        new FileActions(browser, cluster.pages(next), folder)
            .doAll("/actions", "/user/hdfs/.Trash", commands -> shell(cluster, commands));
      }
    }
  }

  private static SecureCluster start(String engine) throws Exception {
    return switch (engine) {
      case "raft" -> SecureCluster.startOnRaft("secure-pages-raft", 1, SETTINGS);
      case "hbase" -> SecureCluster.startOnHBase("secure-pages-hbase", 1, SETTINGS);
      default -> SecureCluster.start("secure-pages", "privacy", 1, SETTINGS);
    };
  }

  private static List<String> shell(SecureCluster cluster, String... commands) throws Exception {
    List<SecureCluster.Answer> answers = cluster.as("hdfs", commands);
    SecureProgramsTest.assertDone(answers);
    return answers.stream().map(SecureCluster.Answer::text).toList();
  }

  private Browser browserOf(SecureCluster cluster, String user) throws Exception {
    HadoopKdc kdc = (HadoopKdc) cluster.kdc();
    return Browser.startOrSkip(folder, kdc.ticketOfMit(user));
  }

  private void useFiles(Browser browser, String url) throws Exception {
    browser.open(url + "index.html#/files/user/alice").awaitText("alice");
    browser.press("New directory").fill("name", "made").confirm("Make", "is there");
    Path local = folder.resolve("up");
    Files.writeString(local, "some text\n");
    browser.press("Upload").fill("chosen", local).confirm("Upload", "is there");
    browser.open(url + "index.html#/files/user/alice/up").press("Head").awaitText("some text");
    assertThat(browser.complaints()).isEmpty();
    browser.open(url + "index.html#/files/secret").awaitText("Permission denied: user=alice");
    for (String page : List.of("openfiles", "quotas", "configuration")) {
      browser.run("location.hash = '#/" + page + "'");
      browser.awaitText("This page is for administrators.");
    }
  }

  private static void tour(SecureCluster cluster, Browser browser, String engine, int leader)
      throws Exception {
    String report = shell(cluster, "fs -mkdir /actions", "dfsadmin -report").get(1);
    Matcher dataNode = DATANODE.matcher(report);
    assertThat(dataNode.find()).as(report).isTrue();
    int port = Integer.parseInt(dataNode.group(1));
    try (AutoCloseable open = cluster.write("hdfs", "/tour/open")) {
      assertThat(open).isNotNull();
      PageTour.of("secure-" + engine, "hdfs", "/tour/open._COPYING_", engine, port)
          .go(browser, cluster.pages(leader), browser::glance);
    }
  }

  private static int afterFailover(SecureCluster cluster, int leader) throws Exception {
    cluster.nameNode(leader).kill();
    return SecureTrioTest.leader(cluster);
  }
}
