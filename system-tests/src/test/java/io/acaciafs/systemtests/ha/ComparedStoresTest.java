package io.acaciafs.systemtests.ha;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.rocksdb.RocksDbOptions;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import io.acaciafs.namenode.store.StoreTables;
import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.HaCluster;
import io.acaciafs.systemtests.harness.NameNodeProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code acacia check} compares the stores of three NameNodes. */
class ComparedStoresTest {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final byte[] ADDED_KEY = "a row that nobody wrote".getBytes(UTF_8);

  @Test
  void damageOfOneMemberIsFoundWhileAllServe() throws Exception {
    try (HaCluster cluster = HaCluster.start("compared", 0);
        DirectoryMaker writer = new DirectoryMaker(cluster, "/directories")) {
      writer.awaitMore(500);
      int leader = cluster.awaitLeader();
      int follower = (leader + 1) % cluster.size();
      String damaged = "nn" + (follower + 1);
      NameNodeProcess.Exit same = cluster.nameNode(follower).run("check"); // which asks the leader
      assertThat(same.output())
          .containsPattern("Compared \\d{4,} rows of the leader with other members")
          .containsPattern("(?m)The store is HEALTHY$")
          .doesNotContain("NOT-CHECKED", "DAMAGE");
      assertThat(same.code()).isZero();
      writer.awaitMore(10);

      cluster.nameNode(follower).terminate();
      NameNodeProcess.Exit oneLess = cluster.nameNode(leader).run("check", "--members-only");
      assertThat(oneLess.output())
          .containsPattern(
              "NOT-CHECKED - The store of " + damaged + " was not compared: \\S+ cannot")
          .contains("1 not checked")
          .contains("The store is HEALTHY, as far as it was checked");
      assertThat(oneLess.code()).isEqualTo(255);

      damage(cluster.nameFolder(follower));
      cluster.nameNode(follower).start();
      Await.until("its answer", LIMIT, () -> cluster.state(follower) != null);
      writer.awaitMore(10);
      NameNodeProcess.Exit found = cluster.nameNode(leader).run("check", "--members-only");
      assertThat(found.output())
          .contains(
              "DAMAGE row-added member="
                  + damaged
                  + " table=jobs key="
                  + HexFormat.of().formatHex(ADDED_KEY)
                  + " - "
                  + damaged
                  + " has a row that ")
          .contains("DAMAGE store-differs member=" + damaged + " rows=1 ranges=1 - The store of")
          .contains("The store is DAMAGED")
          .doesNotContain("NOT-CHECKED");
      assertThat(found.code()).isEqualTo(1);
      printWhatMarksTook(cluster);
    }
  }

  /** For how long each member that was compared applied nothing else. */
  private static void printWhatMarksTook(HaCluster cluster) throws IOException {
    Pattern mark = Pattern.compile("Stores are compared as of now us=(\\d+)");
    List<Long> tookUs = new ArrayList<>();
    try (Stream<java.nio.file.Path> logs = Files.walk(cluster.folder(), 2)) {
      for (java.nio.file.Path log :
          logs.filter(file -> file.toString().endsWith(".log")).toList()) {
        mark.matcher(Files.readString(log))
            .results()
            .forEach(found -> tookUs.add(Long.parseLong(found.group(1))));
      }
    }
    assertThat(tookUs).hasSize(8); // three, two and three members
    System.out.println("Microseconds that members took for a mark: " + tookUs);
  }

  private static void damage(java.nio.file.Path nameFolder) throws Exception {
    Table jobs =
        StoreTables.all().stream().filter(table -> table.name().equals("jobs")).findFirst().get();
    try (RocksDbStore store =
        RocksDbStore.open(
            nameFolder.resolve("current/store"), StoreTables.all(), RocksDbOptions.defaults())) {
      Transaction transaction = store.begin();
      transaction.put(new Key(jobs, ADDED_KEY), ADDED_KEY);
      transaction.commit().get(30, TimeUnit.SECONDS);
    }
  }
}
