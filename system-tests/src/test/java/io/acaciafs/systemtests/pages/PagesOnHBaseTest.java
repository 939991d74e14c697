package io.acaciafs.systemtests;

import io.acaciafs.kv.hbase.local.FreePorts;
import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.hbase.local.LocalHBaseOptions;
import io.acaciafs.systemtests.harness.Browser;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages of a NameNode whose store is an HBase. */
@Tag("long")
class PagesOnHBaseTest {
  @TempDir private Path folder;

  @Test
  void allPagesShowAndFilesChange() throws Exception {
    Path classPath = Path.of(System.getProperty("acacia.hbase.classpath"));
    int port = FreePorts.next();
    try (LocalHBase hbase = LocalHBase.start(LocalHBaseOptions.of(folder, classPath, 1));
        Cluster cluster =
            Cluster.builder("pages-hbase")
                .set("acacia.store.engine", "hbase")
                .set("acacia.store.hbase.zookeeper", hbase.zooKeeper())
                .set("dfs.namenode.http-address", "127.0.0.1:" + port)
                .start();
        Browser browser = Browser.startOrSkip(folder)) {
      new Content(1, 70_000).write(cluster.fileSystem(), new org.apache.hadoop.fs.Path("/a/file"));
      String url = "http://127.0.0.1:" + port + "/";
      browser.passAllPages(url, page -> browser.glance("hbase-" + page));
      browser.open(url + "index.html").awaitText("spread over the servers of HBase");
      browser.as(cluster.fileSystem().getHomeDirectory().getName());
      browser.open(url + "index.html#/files/a").choose("file", "Rename").fill("name", "other");
      browser.confirm("Rename", "was moved").awaitText("other");
    }
  }
}
