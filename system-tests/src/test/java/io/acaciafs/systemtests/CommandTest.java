package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.AcaciaCommand;
import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Content;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a newcomer does first: standalone and demo, and the usual mistakes. */
class CommandTest {
  private static final Duration EXIT_LIMIT = Duration.ofSeconds(120);
  private static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path("/a/file");
  private static final org.apache.hadoop.fs.Path RELATIVE =
      new org.apache.hadoop.fs.Path("in-my-home");
  private static final Content CONTENT = new Content(1, 100_000);

  @TempDir private Path folder;
  private int logs;

  private AcaciaCommand start(String... arguments) throws Exception {
    List<String> options =
        List.of(
            "-Dlog4j.configuration=" + System.getProperty("log4j.configuration"),
            "-Djava.io.tmpdir=" + Files.createDirectories(folder.resolve("tmp")));
    return AcaciaCommand.start(folder.resolve("output-" + ++logs), options, arguments);
  }

  private AcaciaCommand standalone(String port) throws Exception {
    return start(
        "standalone",
        "--dir=" + folder.resolve("state"),
        "--port=" + port,
        "--http-port=0",
        "--datanode-port=0",
        "--datanode-ipc-port=0",
        "--datanode-http-port=0",
        "--ready-file=" + readyFile());
  }

  private Path readyFile() {
    return folder.resolve("ready");
  }

  private FileSystem connect(AcaciaCommand command) throws Exception {
    String uri = command.awaitReady(readyFile()).getProperty("fs.defaultFS");
    return FileSystem.newInstance(URI.create(uri), new Configuration());
  }

  @Test
  void standaloneKeepsItsFilesFromOneStartToTheNext() throws Exception {
    try (AcaciaCommand first = standalone("0")) {
      try (FileSystem fs = connect(first)) {
        CONTENT.write(fs, FILE);
        CONTENT.write(fs, RELATIVE);
        assertThat(fs.listStatus(fs.getHomeDirectory())).hasSize(1);
        assertThat(fs.getFileStatus(new org.apache.hadoop.fs.Path("/tmp")).getPermission())
            .isEqualTo(new FsPermission("1777"));
        ((DistributedFileSystem) fs).metaSave("saved");
        assertThat(Files.readString(folder.resolve("state/log/saved"))).isNotEmpty();
      }
      first.terminate();
      assertThat(readyFile()).doesNotExist();
      assertThat(first.output().lines().toList())
          .hasSize(4)
          .startsWith("Formatting a new file system", "Starting the NameNode")
          .element(3)
          .asString()
          .startsWith("Ready: hdfs://localhost:");
      assertThat(Files.readString(folder.resolve("state/log/acacia.log")))
          .contains("NameNode stopped address=")
          .doesNotContain("http.requests", "EOFException");
    }
    try (AcaciaCommand second = standalone("0");
        FileSystem fs = connect(second)) {
      assertThat(Content.read(fs, FILE)).isEqualTo(CONTENT.bytes());
      assertThat(second.output()).doesNotContain("Formatting");
    }
  }

  @Test
  void secondStandaloneOnTheSameFolderIsRefused() throws Exception {
    try (AcaciaCommand first = standalone("0")) {
      first.awaitReady(readyFile());
      try (AcaciaCommand second = standalone("0")) {
        assertThat(second.awaitExit(EXIT_LIMIT)).isEqualTo(1);
        assertThat(second.output())
            .contains("in use by another process", folder.resolve("state").toString())
            .doesNotContain("\tat ");
      }
    }
  }

  @Test
  void portInUseIsSaidInOneSentence() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        AcaciaCommand command = standalone(Integer.toString(other.getLocalPort()))) {
      assertThat(command.awaitExit(EXIT_LIMIT)).isEqualTo(1);
      assertThat(command.output())
          .contains("localhost:" + other.getLocalPort(), "in use", "--port")
          .doesNotContain("Exception", "Ready");
    }
  }

  /** The last line of a NameNode that does not start. */
  private String refusal(String address) throws Exception {
    String names = "-Ddfs.namenode.name.dir=" + folder.resolve("name").toUri();
    String web = "-Ddfs.namenode.http-address=127.0.0.1:0";
    try (AcaciaCommand format =
        start("format", "-force", names, "-Dfs.defaultFS=hdfs://127.0.0.1:1")) {
      assertThat(format.awaitExit(EXIT_LIMIT)).as(format.output()).isZero();
    }
    try (AcaciaCommand command = start("namenode", names, web, "-Dfs.defaultFS=" + address)) {
      assertThat(command.awaitExit(EXIT_LIMIT)).isEqualTo(1);
      assertThat(command.output()).doesNotContain("\tat ");
      return command.output().lines().reduce("", (before, line) -> line);
    }
  }

  @Test
  void nameNodeSaysWhichPortIsInUse() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(refusal("hdfs://127.0.0.1:" + other.getLocalPort()))
          .contains("in use", "127.0.0.1:" + other.getLocalPort());
    }
  }

  @Test
  void nameNodeSaysWhichHostIsUnknown() throws Exception {
    assertThat(refusal("hdfs://nowhere.invalid:8020"))
        .isEqualTo("acacia: The host name is not known: nowhere.invalid.");
  }

  @Test
  void demoSortsAndLeavesNothingBehind() throws Exception {
    try (AcaciaCommand demo = start("demo", "--rows=1000")) {
      assertThat(demo.awaitExit(EXIT_LIMIT)).as(demo.output()).isZero();
      assertThat(demo.output()).contains("1,000 rows, 0.1 MB sorted", "order is right");
      assertThat(temporaryFiles()).isEmpty();
    }
  }

  @Test
  void demoLeavesNothingBehindWhenItIsStopped() throws Exception {
    try (AcaciaCommand demo = start("demo", "--rows=100000000")) {
      Await.until("start of TeraGen", EXIT_LIMIT, () -> demo.output().contains("TeraGen"));
      demo.terminate();
      assertThat(temporaryFiles()).isEmpty();
      assertThat(demo.output()).doesNotContain("failed");
    }
  }

  private List<Path> temporaryFiles() throws Exception {
    try (var children = Files.list(folder.resolve("tmp"))) {
      return children.toList();
    }
  }
}
