package io.acaciafs.systemtests.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Browser;
import io.acaciafs.systemtests.harness.HaCluster;
import io.acaciafs.systemtests.harness.HaOptions;
import io.acaciafs.systemtests.harness.HadoopTool;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages of three NameNodes, of which another one leads in the end. */
@Tag("long")
class TrioPagesTest {
  private static final String SELF = System.getProperty("user.name");

  @TempDir private Path folder;

  @Test
  void viewersFollowTheLeader() throws Exception {
    try (Browser browser = Browser.startOrSkip(folder);
        HaCluster cluster =
            HaCluster.start(
                "trio-pages", new HaOptions(1, Map.of("fs.trash.interval", "60"), false));
        DistributedFileSystem fs = cluster.newFileSystem()) {
      Path conf = cluster.folder().resolve("nn1/conf");
      HadoopTool.runAll(conf, folder.resolve("preparation.log"), PageTour.preparation());
      fs.mkdirs(new org.apache.hadoop.fs.Path("/actions"));
      int leader = cluster.awaitLeader();
      try (FSDataOutputStream open = fs.create(new org.apache.hadoop.fs.Path("/tour/open"))) {
        open.hflush();
        int port = cluster.dataNodes().get(0).getXferPort();
        PageTour.of("trio", SELF, "/tour/open", "raft", port)
            .go(browser, url(cluster, leader), browser::glance);
      }
      int standby = (leader + 1) % cluster.size();
      String standbyUrl = url(cluster, standby);
      browser.passAllPages(standbyUrl, page -> browser.glance("trio-standby-" + page));

      browser.open(standbyUrl + "index.html").awaitText("This NameNode stands by");
      browser.look("trio-standby");
      cluster.nameNode(leader).kill();
      int next = cluster.awaitOtherLeader(leader);
      follow(browser, cluster, standby, next);
      browser.as(SELF);
      new FileActions(browser, url(cluster, next), folder)
          .doAll(
              "/actions",
              "/user/" + SELF + "/.Trash",
              commands -> HadoopTool.runAll(conf, folder.resolve("effects.log"), commands));
      browser.open(url(cluster, next));
      browser.run("location.hash = '#/files/'"); // a page that was read before
      browser.await("return document.querySelector('#path')");
      browser.run("location.hash = '#/overview'");
      browser.awaitText("Files and directories");
      cluster.nameNode(next).kill();
      saysThatItIsSilent(browser, url(cluster, (next + 1) % cluster.size()) + "#/overview");
    }
  }

  private static void saysThatItIsSilent(Browser browser, String other) {
    browser.awaitText("has not answered since ").awaitText("The figures are of ");
    assertThat(browser.text()).contains("Files and directories").doesNotContain("Failed to fetch");
    browser.await("return document.querySelector('main.old')");
    browser.await(
        "return document.querySelector('#problem a[href=\"' + arguments[0] + '\"]')", other);
    browser.run("location.hash = '#/files/a'");
    browser.await("return document.querySelector('#path')?.value === '/a'");
    assertThat(browser.text()).contains("has not answered since ").doesNotContain("figures are of");
  }

  private static String url(HaCluster cluster, int index) {
    return "http://" + cluster.httpAddress(index) + "/";
  }

  /** The page that is open shows by itself that its NameNode leads, or where the leader is. */
  private static void follow(Browser browser, HaCluster cluster, int standby, int next)
      throws Exception {
    if (next != standby) {
      String link = "document.querySelector('main a[href=\"" + url(cluster, next) + "\"]')";
      browser.await("return " + link);
      browser.run(link + ".click()");
    }
    browser.awaitText("1 live, 0 dead").awaitText("does not answer").awaitText("User: ");
    assertThat(browser.run("return document.getElementById('role').textContent"))
        .isEqualTo("active");
    assertThat(List.of(browser.run("return location.host"))).contains(cluster.httpAddress(next));
    browser.look("trio-after-failover");
    browser.complaints(); // of the NameNode that ended
  }
}
