package io.acaciafs.systemtests.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.AcaciaCommand;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code acacia standalone --namenodes 3}. */
class LocalTrioTest {
  private static final org.apache.hadoop.fs.Path DIRECTORY =
      new org.apache.hadoop.fs.Path("/a/directory");

  @TempDir private Path folder;

  @Test
  void threeNameNodesStartWithOneCommandAndKeepWhatTheyHave() throws Exception {
    try (AcaciaCommand standalone = start("first");
        FileSystem fs = clientAfter(standalone, "first")) {
      assertThat(fs.mkdirs(DIRECTORY)).isTrue();
      standalone.terminate(); // which ends the NameNodes too
    }
    try (AcaciaCommand standalone = start("second");
        FileSystem fs = clientAfter(standalone, "second")) {
      assertThat(fs.exists(DIRECTORY)).isTrue();
      standalone.terminate();
    }
  }

  private AcaciaCommand start(String name) throws Exception {
    return AcaciaCommand.start(
        folder.resolve(name + ".log"),
        List.of(),
        "standalone",
        "--namenodes=3",
        "--dir=" + folder.resolve("trio"),
        "--port=0",
        "--http-port=0",
        "--datanode-port=0",
        "--datanode-ipc-port=0",
        "--datanode-http-port=0",
        "--ready-file=" + folder.resolve(name));
  }

  private FileSystem clientAfter(AcaciaCommand standalone, String name) throws Exception {
    String address = standalone.awaitReady(folder.resolve(name)).getProperty("fs.defaultFS");
    Configuration conf = new HdfsConfiguration();
    conf.addResource(folder.resolve("trio/conf/hdfs-site.xml").toUri().toURL());
    return FileSystem.newInstance(URI.create(address), conf);
  }
}
