package io.acaciafs.systemtests.ha;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.FullDisk;
import io.acaciafs.systemtests.harness.HaCluster;
import io.acaciafs.systemtests.harness.NameNodeProcess;
import io.acaciafs.systemtests.harness.Signals;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The leader is killed, or stands still, under load of an unmodified client with Hadoop's defaults:
 * nothing that was acknowledged is lost, and no call fails.
 */
class FailoverTest {
  private static final int KILLS = Integer.getInteger("acacia.failovers", 1);
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int BEFORE_FAILURE = 50;
  private static final long LARGEST_FILE_BYTES = 4096;

  private static HaCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = HaCluster.start("failover", 1);
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  /** Creates directories and files without end, one after the other. */
  private static final class Writer {
    final Set<String> acknowledged = new ConcurrentSkipListSet<>();
    final AtomicLong lastNs = new AtomicLong();
    final AtomicLong longestGapNs = new AtomicLong();
    final AtomicLong count = new AtomicLong();
    volatile Throwable failure;
    private volatile boolean ends;
    private final Thread thread;

    Writer(HaCluster cluster, String name) {
      thread = new Thread(() -> run(cluster, name), name);
      thread.start();
    }

    private void run(HaCluster cluster, String name) {
      try (DistributedFileSystem fs = cluster.newFileSystem()) {
        lastNs.set(System.nanoTime());
        for (int i = 0; !ends; i++) {
          String path = "/" + name + "/" + i;
          if (i % 10 == 0) {
            try (FSDataOutputStream out = fs.create(new Path(path))) {
              out.write(path.getBytes(UTF_8));
            }
          } else if (!fs.mkdirs(new Path(path))) {
            throw new AssertionError(path);
          }
          acknowledged.add(path);
          long nowNs = System.nanoTime();
          longestGapNs.accumulateAndGet(nowNs - lastNs.getAndSet(nowNs), Math::max);
          count.incrementAndGet();
        }
      } catch (Throwable e) {
        failure = e;
      }
    }

    void awaitMore(int number) throws Exception {
      long wanted = count.get() + number;
      Await.until(
          "acknowledged operations",
          LIMIT,
          () -> {
            if (failure != null) {
              throw new AssertionError("A call failed", failure);
            }
            return count.get() >= wanted;
          });
    }

    void end() {
      ends = true;
      try {
        thread.join(LIMIT.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void assertAllThere(HaCluster cluster, Set<String> paths) throws Exception {
    List<String> missing = new ArrayList<>();
    try (DistributedFileSystem fs = cluster.newFileSystem()) {
      Map<String, FileStatus> there = new HashMap<>();
      for (FileStatus status : fs.listStatus(new Path(paths.iterator().next()).getParent())) {
        there.put(status.getPath().toUri().getPath(), status);
      }
      for (String path : paths) {
        if (!there.containsKey(path)) {
          missing.add(path);
        } else if (there.get(path).isFile()) {
          byte[] content = new byte[path.length()];
          try (var in = fs.open(new Path(path))) {
            in.readFully(content);
          }
          assertThat(new String(content, UTF_8)).isEqualTo(path);
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  /** Of all members, once each has come as far as the others. */
  private static void assertStoresAreSoundAndTheSame(HaCluster cluster) throws Exception {
    NameNodeProcess.Exit[] last = new NameNodeProcess.Exit[1];
    Await.until(
        "a check of all members",
        LIMIT,
        () -> {
          last[0] = cluster.nameNode(cluster.awaitLeader()).run("check", "--work-percent=100");
          return last[0].code() != 255 && !last[0].output().contains("NOT-CHECKED");
        });
    assertThat(last[0].output()).contains("The store is HEALTHY").doesNotContain("DAMAGE ");
  }

  /** What happens to the NameNodes while the writer goes on. */
  @FunctionalInterface
  private interface Events {
    void happen(HaCluster cluster, Writer writer) throws Exception;
  }

  /** Nothing that was acknowledged is lost, and no call fails. */
  private static void underLoad(HaCluster cluster, String name, Events events) throws Exception {
    Writer writer = new Writer(cluster, name);
    try {
      writer.awaitMore(BEFORE_FAILURE);
      events.happen(cluster, writer);
    } finally {
      writer.end();
    }
    assertThat(writer.failure).isNull();
    assertAllThere(cluster, writer.acknowledged);
    assertStoresAreSoundAndTheSame(cluster);
  }

  private static void restart(HaCluster cluster, int member) throws Exception {
    cluster.nameNode(member).start();
    Await.until("its answer", LIMIT, () -> cluster.state(member) != null);
  }

  @Test
  void nothingIsLostWhenLeadersAreKilled() throws Exception {
    List<Long> gapsMs = new ArrayList<>();
    underLoad(
        cluster,
        "failover",
        (three, writer) -> {
          for (int i = 0; i < KILLS; i++) {
            int leader = three.awaitLeader();
            writer.longestGapNs.set(0);
            three.nameNode(leader).kill();
            writer.awaitMore(BEFORE_FAILURE);
            gapsMs.add(writer.longestGapNs.get() / 1_000_000);
            restart(three, leader);
            writer.awaitMore(BEFORE_FAILURE);
          }
        });
    Collections.sort(gapsMs);
    System.out.println("Failovers, ms without an acknowledgement: " + gapsMs);
  }

  @Test
  void nothingIsLostWhenAllAreKilled() throws Exception {
    underLoad(
        cluster,
        "all-killed",
        (three, writer) -> {
          for (int i = 0; i < KILLS; i++) {
            three.awaitLeader();
            for (int member = 0; member < three.size(); member++) {
              three.nameNode(member).kill();
            }
            for (int member = 0; member < three.size(); member++) {
              three.nameNode(member).start();
            }
            writer.awaitMore(BEFORE_FAILURE);
          }
        });
  }

  /** One after the other: a NameNode that stands by, and the one that leads. */
  @Test
  void aNameNodeThatCannotWriteEndsAndTheOthersGoOn() throws Exception {
    underLoad(
        cluster,
        "full-disk",
        (three, writer) -> {
          int leader = three.awaitLeader();
          for (int full : new int[] {(leader + 1) % three.size(), leader}) {
            FullDisk.allowFilesUpTo(LARGEST_FILE_BYTES, three.nameNode(full).pid());
            Await.until("its end", LIMIT, () -> !three.nameNode(full).isAlive());
            writer.awaitMore(BEFORE_FAILURE);
            restart(three, full);
            writer.awaitMore(BEFORE_FAILURE);
          }
        });
  }

  /** Its first calls are reads of a client that has asked it before. */
  @Test
  void aLeaderThatStoodStillAnswersNothingThatIsNoLongerTrue() throws Exception {
    underLoad(
        cluster,
        "frozen",
        (three, writer) -> {
          for (int i = 0; i < KILLS; i++) {
            int leader = three.awaitLeader();
            Path from = new Path("/stood-still-" + i);
            try (RenameReader reader = new RenameReader(three, leader, from, from.suffix("-to"))) {
              Signals.stop(three.nameNode(leader).pid());
              try {
                reader.rename(three, three.awaitOtherLeader(leader));
                reader.ask();
              } finally {
                Signals.resume(three.nameNode(leader).pid());
              }
              reader.awaitTruth();
            }
            writer.awaitMore(BEFORE_FAILURE);
          }
        });
  }

  /** As {@code hdfs haadmin} and {@code acacia raft} do it. */
  @Test
  void anAdministratorHandsOverAndReplacesANameNode() throws Exception {
    try (HaCluster own = HaCluster.start("handover", 1)) {
      underLoad(
          own,
          "handover",
          (three, writer) -> {
            int first = three.awaitLeader();
            assertThat(three.haadmin("-transitionToStandby", "nn" + (first + 1))).isZero();
            three.awaitState(first, HAServiceState.OBSERVER);
            assertThat(three.awaitLeader()).isNotEqualTo(first);
            writer.awaitMore(BEFORE_FAILURE);
            int second = three.awaitLeader();
            int wanted = (second + 1) % three.size();
            assertThat(three.haadmin("-failover", "nn" + (second + 1), "nn" + (wanted + 1)))
                .isZero();
            assertThat(three.state(wanted)).isEqualTo(HAServiceState.ACTIVE);
            writer.awaitMore(BEFORE_FAILURE);
            assertThat(three.haadmin("-checkHealth", "nn1")).isZero();
            assertThat(three.haadmin("-transitionToObserver", "nn" + (second + 1))).isZero();
            assertThat(three.haadmin("-transitionToObserver", "nn" + (wanted + 1))).isNotZero();
            NameNodeProcess.Exit status = three.nameNode(0).run("raft", "status");
            assertThat(status.code()).as(status.output()).isZero();
            assertThat(status.output()).contains(" to nn" + (wanted + 1));
            String next = "nn" + (first + 1);
            NameNodeProcess.Exit transfer = three.nameNode(0).run("raft", "transfer", next);
            assertThat(transfer.output()).contains(next + " leads.");
            assertThat(three.state(first)).isEqualTo(HAServiceState.ACTIVE);
            writer.awaitMore(BEFORE_FAILURE);
            NameNodeProcess.Exit stepDown = three.nameNode(0).run("raft", "step-down");
            assertThat(stepDown.code()).as(stepDown.output()).isZero();
            assertThat(stepDown.output()).contains(next + " leads no more.");
            three.awaitState(first, HAServiceState.OBSERVER);
            int last = three.awaitOtherLeader(first);
            writer.awaitMore(BEFORE_FAILURE);
            int added = three.replace((last + 1) % three.size());
            three.awaitState(added, HAServiceState.OBSERVER);
            writer.awaitMore(BEFORE_FAILURE);
            three.nameNode(last).kill(); // it led, so the vote of the new one is needed
            writer.awaitMore(BEFORE_FAILURE);
            restart(three, last);
          });
    }
  }
}
