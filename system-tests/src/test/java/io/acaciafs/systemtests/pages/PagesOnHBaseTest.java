package io.acaciafs.systemtests.pages;

import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.hbase.local.LocalHBaseOptions;
import io.acaciafs.systemtests.harness.Browser;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.HadoopTool;
import java.nio.file.Path;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages of a NameNode whose store is an HBase. */
@Tag("long")
class PagesOnHBaseTest {
  private static final String SELF = System.getProperty("user.name");

  @TempDir private Path folder;

  @Test
  void allPagesShowAndFilesChange() throws Exception {
    Path classPath = Path.of(System.getProperty("acacia.hbase.classpath"));
    try (Browser browser = Browser.startOrSkip(folder);
        LocalHBase hbase = LocalHBase.start(LocalHBaseOptions.of(folder, classPath, 1));
        Cluster cluster =
            Cluster.builder("pages-hbase")
                .set("acacia.store.engine", "hbase")
                .set("acacia.store.hbase.zookeeper", hbase.zooKeeper())
                .set("fs.trash.interval", 60)
                .start()) {
      Path conf = cluster.folder().resolve("conf");
      HadoopTool.runAll(conf, folder.resolve("preparation.log"), PageTour.preparation());
      cluster.fileSystem().mkdirs(new org.apache.hadoop.fs.Path("/actions"));
      String url = "http://127.0.0.1:" + cluster.httpPort() + "/";
      int port = cluster.dataNodes().get(0).getXferPort();
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/tour/open");
      try (FSDataOutputStream open = cluster.fileSystem().create(file)) {
        open.hflush();
        PageTour.of("hbase", SELF, file.toString(), "hbase", port).go(browser, url, browser::look);
      }
      browser.open(url + "index.html#/store").awaitText("Region servers");
      browser.open(url + "index.html").awaitText("Regions online");
      browser.awaitText("spread over the servers of HBase").as(SELF);
      new FileActions(browser, url, folder)
          .doAll(
              "/actions",
              "/user/" + SELF + "/.Trash",
              commands -> HadoopTool.runAll(conf, folder.resolve("effects.log"), commands));
    }
  }
}
