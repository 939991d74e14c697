package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.DataNodeFleet;
import io.acaciafs.systemtests.harness.DataNodes;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import io.acaciafs.systemtests.harness.SharedStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two NameNodes on one HBase, and DataNodes that list both. */
@Tag("long")
class SharedDataNodesTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int DATA_NODES = 3;
  private static final short REPLICATION = 2;
  private static final String NAME_SERVICE = "shared";
  private static final Map<String, String> SETTINGS =
      Map.of(
          "acacia.namenode.lease", "3s",
          "acacia.datanode.exchange.interval", "300ms",
          "dfs.heartbeat.interval", "1",
          "dfs.namenode.heartbeat.recheck-interval", "500",
          "dfs.namenode.redundancy.interval.seconds", "1",
          "dfs.namenode.redundancy.considerLoad", "false",
          "dfs.namenode.datanode.registration.ip-hostname-check", "false");

  @TempDir private java.nio.file.Path folder;

  private final DataNodes dataNodes = new DataNodes();

  @Test
  void filesAreWrittenReadAndRepairedThroughWhicheverNameNodeLives() throws Exception {
    assumeTrue(NameNodeProgram.underTest() == NameNodeProgram.ACACIA, "Hadoop's has no engines");
    try (SharedStore store = new SharedStore("datanodes", 2, SETTINGS)) {
      Configuration site = site(store);
      try {
        for (int i = 0; i < DATA_NODES; i++) {
          dataNodes.add(Files.createDirectory(folder.resolve("dn" + i)), List.of(), site);
        }
        use(store, site);
      } finally {
        dataNodes.shutdown();
      }
    }
  }

  /** As docs/deploy-hbase.md has it for DataNodes, and for clients. */
  private static Configuration site(SharedStore store) {
    Configuration site = new HdfsConfiguration();
    SETTINGS.forEach(site::set);
    site.set("fs.defaultFS", "hdfs://" + NAME_SERVICE);
    site.set("dfs.nameservices", NAME_SERVICE);
    site.set("dfs.ha.namenodes." + NAME_SERVICE, "nn0,nn1");
    for (int i = 0; i < 2; i++) {
      site.set(
          "dfs.namenode.rpc-address." + NAME_SERVICE + ".nn" + i,
          "127.0.0.1:" + store.uri(i).getPort());
    }
    site.set(
        "dfs.client.failover.proxy.provider." + NAME_SERVICE,
        "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
    site.set("dfs.client.failover.random.order", "false");
    return site;
  }

  private void use(SharedStore store, Configuration site) throws Exception {
    Map<Path, Content> files = new TreeMap<>();
    try (DistributedFileSystem one = client(store, 0);
        DistributedFileSystem other = client(store, 1);
        FileSystem both = FileSystem.newInstance(URI.create("hdfs://" + NAME_SERVICE), site)) {
      awaitDataNodes(one, DATA_NODES);
      awaitDataNodes(other, DATA_NODES);

      write(one, new Path("/by-one"), 1, files);
      write(other, new Path("/by-other"), 2, files);
      for (FileSystem client : List.of(one, other)) {
        assertContents(client, files);
      }

      AtomicBoolean isOver = new AtomicBoolean();
      CompletableFuture<Map<Path, Content>> writer =
          CompletableFuture.supplyAsync(() -> writeOn(both, isOver));
      Await.until("files of the writer", LIMIT, () -> exists(other, "/on/3"));
      store.nameNode(0).kill();
      int before = other.listStatus(new Path("/on")).length;
      Await.until(
          "many more files", LIMIT, () -> other.listStatus(new Path("/on")).length > before + 10);
      isOver.set(true);
      files.putAll(writer.get(60, TimeUnit.SECONDS));
      assertContents(other, files);
      List<Path> deleted = List.of(new Path("/by-one"), new Path("/by-other"), new Path("/on/0"));
      delete(other, deleted);
      files.keySet().removeAll(deleted);

      DataNode lost = dataNodes.running().get(0);
      String address = lost.getDatanodeId().getXferAddr();
      dataNodes.shutdown(lost);
      for (Path file : files.keySet()) {
        Await.until(
            "two replicas of " + file + " elsewhere",
            LIMIT,
            () -> places(other, file).filter(place -> !place.equals(address)).count() == 2);
      }
      assertContents(other, files);
    }
  }

  private static DistributedFileSystem client(SharedStore store, int nameNode) throws IOException {
    Configuration conf = new HdfsConfiguration();
    SETTINGS.forEach(conf::set);
    return (DistributedFileSystem) FileSystem.newInstance(store.uri(nameNode), conf);
  }

  private static void awaitDataNodes(DistributedFileSystem client, int count) throws Exception {
    Await.until(
        count + " live DataNodes",
        LIMIT,
        () ->
            Arrays.stream(client.getDataNodeStats(DatanodeReportType.LIVE))
                    .filter(node -> node.getCapacity() > 0)
                    .count()
                == count);
  }

  private static boolean exists(FileSystem client, String path) throws IOException {
    return client.exists(new Path(path));
  }

  /** The NameNode that is left commands all DataNodes: those that were the other's as well. */
  private void delete(DistributedFileSystem client, List<Path> files) throws Exception {
    List<String> blocks = new ArrayList<>();
    for (Path file : files) {
      blocks.add(
          client.getClient().getLocatedBlocks(file.toString(), 0).get(0).getBlock().getBlockName());
      assertThat(client.delete(file, false)).isTrue();
    }
    Await.until(
        "the end of deleted replicas",
        LIMIT,
        () -> blockFiles().noneMatch(file -> blocks.contains(file.getFileName().toString())));
  }

  /** Looks again where files vanish meanwhile. */
  private Stream<java.nio.file.Path> blockFiles() throws IOException {
    try {
      return DataNodeFleet.blockFiles(folder).stream();
    } catch (UncheckedIOException e) {
      return blockFiles();
    }
  }

  private static void write(FileSystem client, Path file, long seed, Map<Path, Content> files)
      throws IOException {
    Content content = new Content(seed, 300_000);
    try (var out = client.create(file, false, 4096, REPLICATION, 1 << 20)) {
      out.write(content.bytes());
    }
    files.put(file, content);
  }

  /** Every file is acknowledged, whichever NameNode answers. */
  private static Map<Path, Content> writeOn(FileSystem client, AtomicBoolean isOver) {
    Map<Path, Content> written = new TreeMap<>();
    try {
      for (int i = 0; !isOver.get(); i++) {
        write(client, new Path("/on/" + i), 10 + i, written);
      }
    } catch (IOException e) {
      throw new AssertionError("after " + written.size() + " files", e);
    }
    return written;
  }

  private static void assertContents(FileSystem client, Map<Path, Content> files)
      throws IOException {
    for (Map.Entry<Path, Content> file : files.entrySet()) {
      assertThat(Content.read(client, file.getKey())).isEqualTo(file.getValue().bytes());
    }
  }

  private static Stream<String> places(FileSystem client, Path file) throws IOException {
    FileStatus status = client.getFileStatus(file);
    BlockLocation[] blocks = client.getFileBlockLocations(status, 0, status.getLen());
    return Arrays.stream(blocks[0].getNames());
  }
}
