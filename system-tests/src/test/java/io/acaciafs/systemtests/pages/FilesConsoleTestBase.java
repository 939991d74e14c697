package io.acaciafs.systemtests.pages;

import io.acaciafs.systemtests.harness.Browser;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What tests at the page of files have in common: a cluster for all, a new directory for each. */
abstract class FilesConsoleTestBase {
  @TempDir static java.nio.file.Path folder;
  static FilesConsole console;
  static DistributedFileSystem fs;
  static Browser browser;

  Path root;

  /**
   * To be called before all tests.
   *
   * @param settings names and values
   */
  static void start(String name, Object... settings) throws Exception {
    console = FilesConsole.startOrSkip(name, folder, settings);
    fs = console.fs();
    browser = console.browser();
  }

  @AfterAll
  static void stop() throws Exception {
    if (console != null) {
      console.close();
      console = null; // the next class may be skipped
    }
  }

  @BeforeEach
  void openTheDirectory() throws Exception {
    root = console.openNewDirectory();
  }
}
