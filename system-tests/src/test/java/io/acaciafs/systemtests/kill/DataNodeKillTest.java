package io.acaciafs.systemtests.kill;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.DataNodeFleet;
import io.acaciafs.systemtests.harness.DataNodeProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A DataNode is killed under sixteen writers, round after round: they finish, readers see right
 * bytes all the time, and each block has its replicas again within a minute, no more and no less.
 *
 * <p>There are four DataNodes for three replicas. Clients keep HDFS's default policy for replacing
 * a DataNode on failure, which insists on another one in the place of the lost one for who has
 * flushed: with only three of them he would fail, on HDFS as well, so clients of three do their
 * best without, and the lost one comes back before replicas are counted. See docs/faults.md.
 */
class DataNodeKillTest {
  private static final Logger LOG = LoggerFactory.getLogger(DataNodeKillTest.class);
  private static final int ROUNDS = Integer.getInteger("acacia.datanode-kill-rounds", 2);
  private static final int DATA_NODES = Integer.getInteger("acacia.datanode-kill-nodes", 4);
  private static final int REPLICATION = 3;
  private static final boolean HAS_SPARE = DATA_NODES > REPLICATION;
  private static final int WRITERS = 16;
  private static final int BLOCK_SIZE = 1 << 20;
  private static final int LENGTH_BYTES = BLOCK_SIZE + 300_001;
  private static final int CHUNK_BYTES = 40_000;
  private static final Duration REPAIR_LIMIT = Duration.ofSeconds(60);

  @Test
  void writersAndReadersDoNotNotice() throws Exception {
    long seed = Long.getLong("acacia.seed", System.nanoTime());
    Random random = new Random(seed);
    ExecutorService threads =
        Executors.newCachedThreadPool(task -> new Thread(task, "datanode-kill"));
    try (Cluster cluster =
            Cluster.builder("datanode-kill")
                .dataNodes(0)
                .set("dfs.replication", REPLICATION)
                .set("dfs.blocksize", BLOCK_SIZE)
                .set("dfs.client.block.write.replace-datanode-on-failure.best-effort", !HAS_SPARE)
                .set("dfs.blockreport.intervalMsec", 10_000) // what writers abandon is found by it
                .set("dfs.namenode.heartbeat.recheck-interval", 500)
                .set("dfs.namenode.redundancy.interval.seconds", 1)
                .set("dfs.namenode.reconstruction.pending.timeout-sec", 5)
                .set("dfs.namenode.replication.work.multiplier.per.iteration", 10)
                .start();
        DataNodeFleet fleet = DataNodeFleet.start(cluster, DATA_NODES);
        Readers readers = new Readers(cluster.fileSystem(), seed)) {
      Map<Path, Content> before = Map.of();
      for (int round = 0; round < ROUNDS; round++) {
        Map<Path, Content> files = contents(round, random);
        readers.look(files, before);
        DataNodeProcess victim = fleet.get(random.nextInt(DATA_NODES));
        writeWhile(threads, cluster.fileSystem(), files, random, victim::kill);
        long killedNs = System.nanoTime();
        readers.look(Map.of(), files);
        String lost = victim.address();
        if (!HAS_SPARE) {
          victim.start();
          lost = "";
        }
        awaitReplicas(cluster.fileSystem(), files, lost);
        long repairedNs = System.nanoTime();
        checkContents(cluster.fileSystem(), files);
        for (Path old : before.keySet()) {
          cluster.fileSystem().delete(old, false);
        }
        if (HAS_SPARE) {
          victim.start();
        }
        fleet.awaitLive(DATA_NODES);
        awaitNothingMore(cluster.fileSystem(), fleet, files);
        checkContents(cluster.fileSystem(), files);
        before = files;
        LOG.info(
            "Round done round={} seed={} repairedMs={} surplusGoneMs={} readersChecks={}",
            round,
            seed,
            Duration.ofNanos(repairedNs - killedNs).toMillis(),
            Duration.ofNanos(System.nanoTime() - repairedNs).toMillis(),
            readers.checks());
      }
      readers.stop();
    } finally {
      threads.shutdownNow();
    }
  }

  private static Map<Path, Content> contents(int round, Random random) {
    Map<Path, Content> files = new LinkedHashMap<>();
    for (int i = 0; i < WRITERS; i++) {
      files.put(
          new Path("/round-" + round + "/file-" + i), new Content(random.nextLong(), LENGTH_BYTES));
    }
    return files;
  }

  private interface Event {
    void happen() throws Exception;
  }

  /** All write at the same time, in different places of their files when it happens. */
  private static void writeWhile(
      ExecutorService threads,
      DistributedFileSystem fs,
      Map<Path, Content> files,
      Random random,
      Event event)
      throws Exception {
    CountDownLatch begun = new CountDownLatch(files.size());
    CountDownLatch happened = new CountDownLatch(1);
    List<Future<?>> writers = new ArrayList<>();
    files.forEach(
        (file, content) -> {
          int pauseAt = CHUNK_BYTES * (1 + random.nextInt(LENGTH_BYTES / CHUNK_BYTES - 1));
          boolean flushes = random.nextBoolean();
          writers.add(
              threads.submit(
                  () -> {
                    write(fs, file, content.bytes(), pauseAt, flushes, begun, happened);
                    return null;
                  }));
        });
    assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
    event.happen();
    happened.countDown();
    for (Future<?> writer : writers) {
      writer.get(120, TimeUnit.SECONDS);
    }
  }

  private static void write(
      DistributedFileSystem fs,
      Path file,
      byte[] bytes,
      int pauseAt,
      boolean flushes,
      CountDownLatch begun,
      CountDownLatch happened)
      throws Exception {
    try (FSDataOutputStream out = fs.create(file, false)) {
      for (int at = 0; at < bytes.length; at += CHUNK_BYTES) {
        out.write(bytes, at, Math.min(CHUNK_BYTES, bytes.length - at));
        if (flushes) {
          out.hflush();
        }
        if (at == pauseAt) {
          begun.countDown();
          // half of them go on while it happens
          assertThat(!flushes || happened.await(60, TimeUnit.SECONDS)).isTrue();
        }
      }
    }
  }

  private static void awaitReplicas(DistributedFileSystem fs, Map<Path, Content> files, String lost)
      throws Exception {
    Await.until(
        "full replication of all blocks",
        REPAIR_LIMIT,
        () -> {
          for (Path file : files.keySet()) {
            for (LocatedBlock block : blocks(fs, file)) {
              List<String> places =
                  Arrays.stream(block.getLocations()).map(DatanodeInfo::getXferAddr).toList();
              if (Set.copyOf(places).size() < REPLICATION || places.contains(lost)) {
                return false;
              }
            }
          }
          return true;
        });
  }

  private static void awaitNothingMore(
      DistributedFileSystem fs, DataNodeFleet fleet, Map<Path, Content> files) throws Exception {
    Map<String, Integer> wanted = new TreeMap<>();
    for (Path file : files.keySet()) {
      blocks(fs, file).forEach(block -> wanted.put(block.getBlock().getBlockName(), REPLICATION));
    }
    Map<String, Integer> found = new TreeMap<>();
    try {
      Await.until(
          "as many block files as there should be",
          REPAIR_LIMIT,
          () -> {
            try {
              found.clear();
              fleet
                  .blockFiles()
                  .forEach(f -> found.merge(f.getFileName().toString(), 1, Integer::sum));
              return found.equals(wanted);
            } catch (UncheckedIOException | NoSuchFileException e) {
              return false; // one went while we were looking
            }
          });
    } catch (AssertionError e) {
      Map<String, Integer> wrong = new TreeMap<>(found);
      wrong.entrySet().removeAll(wanted.entrySet());
      throw new AssertionError(e.getMessage() + ": " + wrong, e);
    }
  }

  private static void checkContents(DistributedFileSystem fs, Map<Path, Content> files)
      throws IOException {
    for (Map.Entry<Path, Content> file : files.entrySet()) {
      assertThat(Content.read(fs, file.getKey()))
          .as("content of %s", file.getKey())
          .isEqualTo(file.getValue().bytes());
    }
  }

  private static List<LocatedBlock> blocks(DistributedFileSystem fs, Path file) throws IOException {
    return fs.getClient()
        .getNamenode()
        .getBlockLocations(file.toUri().getPath(), 0, LENGTH_BYTES)
        .getLocatedBlocks();
  }
}
