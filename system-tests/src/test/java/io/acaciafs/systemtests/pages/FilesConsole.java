package io.acaciafs.systemtests.pages;

import io.acaciafs.systemtests.harness.Browser;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** A browser at the files of a cluster, with a new directory for each test. Not thread-safe. */
record FilesConsole(Browser browser, Cluster cluster, DistributedFileSystem fs, String user) {
  /** What {@link #openNewDirectory} puts into the file of each directory. */
  static final int LENGTH = 100_000;

  /**
   * Skips the test where there is no browser.
   *
   * @param settings names and values
   */
  static FilesConsole startOrSkip(String name, java.nio.file.Path folder, Object... settings)
      throws Exception {
    Browser browser = Browser.startOrSkip(folder);
    Cluster.Builder builder = Cluster.builder(name).set("fs.trash.interval", 60);
    for (int i = 0; i < settings.length; i += 2) {
      builder.set((String) settings[i], settings[i + 1]);
    }
    Cluster cluster = builder.start();
    DistributedFileSystem fs = cluster.fileSystem();
    return new FilesConsole(browser, cluster, fs, fs.getHomeDirectory().getName());
  }

  /** Opens the page of a new directory with a file named "file". */
  Path openNewDirectory() throws Exception {
    Path root = new Path("/test-" + System.nanoTime());
    fs.mkdirs(root);
    new Content(1, LENGTH).write(fs, new Path(root, "file"));
    browser.open(url("/index.html#/files/")).as(user);
    open(root);
    return root;
  }

  String url(String path) {
    return "http://127.0.0.1:" + cluster.httpPort() + path;
  }

  void open(Path path) {
    browser
        .open(url("/index.html#/files" + encoded(path.toUri().getPath()).replace("%2F", "/")))
        .awaitText("User: " + user);
  }

  private static String encoded(String part) {
    return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
  }

  List<String> names(Path directory) throws Exception {
    return Arrays.stream(fs.listStatus(directory)).map(each -> each.getPath().getName()).toList();
  }

  void close() throws Exception {
    browser.close();
    cluster.close();
  }
}
