package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.AcaciaCommand;
import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.BlockFiles;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.hdfs.tools.offlineImageViewer.OfflineImageViewerPB;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Test;

/** Back to a backup with DataNodes that have gone on since. */
class BackupTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final org.apache.hadoop.fs.Path KEPT = new org.apache.hadoop.fs.Path("/kept");
  private static final org.apache.hadoop.fs.Path LATER = new org.apache.hadoop.fs.Path("/later");
  private static final org.apache.hadoop.fs.Path NEW = new org.apache.hadoop.fs.Path("/new");
  private static final Content CONTENT = new Content(1, 100_000);
  private static final Content OTHER = new Content(2, 100_000);

  @Test
  void clusterGoesBackToWhatItWas() throws Exception {
    try (Cluster cluster =
        Cluster.builder("backup")
            .program(NameNodeProgram.ACACIA)
            .set("dfs.namenode.redundancy.interval.seconds", 1)
            .start()) {
      DistributedFileSystem fs = cluster.fileSystem();
      CONTENT.write(fs, KEPT);
      Path backup = cluster.folder().resolve("backup");
      DFSAdmin admin = new DFSAdmin(cluster.clientConfiguration());
      String[] make = {
        "-refresh", "127.0.0.1:" + cluster.port(), "acacia.backup", backup.toString()
      };
      assertThat(ToolRunner.run(admin, make)).isZero();
      assertThat(ToolRunner.run(admin, make)).as("it is there already").isNotZero();
      CONTENT.write(fs, LATER);
      assertThat(blockFiles(cluster)).hasSize(2);

      cluster.killNameNode();
      cluster.useNameNode(NameNodeProgram.ACACIA, "name-restored");
      restore(cluster, backup);
      cluster.startNameNode();

      assertThat(fs.exists(LATER)).isFalse();
      assertThat(Content.read(fs, KEPT)).isEqualTo(CONTENT.bytes());
      OTHER.write(fs, NEW);
      Await.until("deletion of what is in no file", LIMIT, () -> blockFiles(cluster).size() == 2);
      assertThat(Content.read(fs, KEPT)).isEqualTo(CONTENT.bytes());
      assertThat(Content.read(fs, NEW)).isEqualTo(OTHER.bytes());
    }
  }

  /** Hadoop's own reader finds in it what is there, and what came while it was made is whole. */
  @Test
  void imageIsFetchedFromANameNodeThatServes() throws Exception {
    try (Cluster cluster = Cluster.builder("fetch-image").program(NameNodeProgram.ACACIA).start()) {
      CONTENT.write(cluster.fileSystem(), KEPT);
      Path images = Files.createDirectory(cluster.folder().resolve("images"));
      DFSAdmin admin = new DFSAdmin(cluster.clientConfiguration());
      String[] fetch = {"-fetchImage", images.toString()};

      assertThat(ToolRunner.run(admin, fetch)).isZero();
      OTHER.write(cluster.fileSystem(), LATER);
      assertThat(namesIn(images)).containsExactlyInAnyOrder("", "kept");
      assertThat(ToolRunner.run(admin, fetch)).isZero();

      assertThat(namesIn(images)).containsExactlyInAnyOrder("", "kept", "later");
      Path temporary = cluster.nameFolder().resolve("image.tmp");
      Await.until("removal of what the fetch needed", LIMIT, () -> !Files.exists(temporary));
    }
  }

  private static List<String> namesIn(Path images) throws Exception {
    Path xml = images.resolveSibling("image.xml");
    try (Stream<Path> files = Files.list(images)) {
      String image = files.findFirst().orElseThrow().toString();
      String[] toXml = {"-p", "XML", "-i", image, "-o", xml.toString()};
      assertThat(OfflineImageViewerPB.run(toXml)).isZero();
    }
    return Pattern.compile("<type>\\w+</type><name>([^<]*)</name>")
        .matcher(Files.readString(xml))
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  private static void restore(Cluster cluster, Path backup) throws Exception {
    try (AcaciaCommand command =
        AcaciaCommand.start(
            cluster.folder().resolve("restore.log"),
            List.of("-Dlog4j.configuration=" + System.getProperty("log4j.configuration")),
            "restore",
            "-Ddfs.namenode.name.dir=" + cluster.nameFolder().toUri(),
            backup.toString())) {
      assertThat(command.awaitExit(LIMIT)).as(command.output()).isZero();
      assertThat(command.output()).startsWith("Restored cluster CID-backup as it was at ");
    }
  }

  private static List<String> blockFiles(Cluster cluster) throws Exception {
    return BlockFiles.all(cluster.dataFolders().get(0)).stream()
        .map(path -> path.getFileName().toString())
        .toList();
  }
}
