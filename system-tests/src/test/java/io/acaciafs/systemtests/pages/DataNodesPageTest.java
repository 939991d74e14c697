package io.acaciafs.systemtests.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Browser;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.HostsFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.hdfs.server.blockmanagement.CombinedHostFileManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** The page of the DataNodes says in words what becomes of each, and what it waits for. */
class DataNodesPageTest {
  @TempDir private static Path folder;

  @Test
  void aDataNodeIsFollowedFromServiceToItsEnd() throws Exception {
    Path hosts = Files.createFile(folder.resolve("hosts.json"));
    try (Cluster cluster =
            Cluster.builder("datanodes-page")
                .dataNodes(2)
                .set("dfs.replication", 2)
                .set("dfs.hosts", hosts)
                .set(
                    "dfs.namenode.hosts.provider.classname",
                    CombinedHostFileManager.class.getName())
                .set("dfs.namenode.decommission.interval", 1)
                .set("dfs.heartbeat.interval", 1)
                .set("dfs.namenode.stale.datanode.interval", 3000)
                .set("dfs.namenode.stale.datanode.minimum.interval", 3)
                .start();
        Browser browser = Browser.startOrSkip(folder)) {
      new Content(1, 1000).write(cluster.fileSystem(), new org.apache.hadoop.fs.Path("/data/file"));
      DataNode leaving = cluster.dataNodes().get(0);
      String page = "http://127.0.0.1:" + cluster.httpPort() + "/index.html#/datanodes";
      browser.open(page).awaitText("2 in service");

      new HostsFile(hosts, cluster)
          .apply(leaving, "DECOMMISSIONED"); // there is no other place for its replica
      browser.awaitText("1 decommissioning, 1 in service");
      browser.glance("datanodes-leaving");
      sortsAndFilters(browser, leaving.getXferPort());
      browser.run(
          "[...document.querySelectorAll('tbody a')]"
              + ".find(each => each.textContent.endsWith(':' + arguments[0])).click()",
          leaving.getXferPort());
      browser.awaitText("The next one, blk_");
      assertThat(browser.text())
          .contains("0 of about 1 blocks are looked through")
          .contains(" of /data/file has too few.");
      browser.glance("datanode-leaving");

      new HostsFile(hosts, cluster).apply(leaving, "IN_MAINTENANCE");
      browser.awaitText("in maintenance");
      cluster.stopDataNode(cluster.dataNodes().get(1));
      browser.open(page).awaitText("1 in maintenance, 1 stale");
    }
  }

  private static void sortsAndFilters(Browser browser, int port) {
    sortByState(browser);
    browser.await(
        "return document.querySelector('tbody td:nth-child(2)').innerText === 'decommissioning'");
    sortByState(browser);
    browser.await(
        "return document.querySelector('tbody td:nth-child(2)').innerText === 'in service'");
    browser.run("document.querySelector('input[type=search]').focus()");
    browser.type(":" + port).awaitText("1 of 2 rows");
    browser.await("return document.querySelectorAll('tbody tr').length === 1");
  }

  private static void sortByState(Browser browser) {
    browser.run(
        "[...document.querySelectorAll('th button')]"
            + ".find(each => each.textContent === 'State').focus()");
    browser.type(Keys.ENTER);
  }
}
