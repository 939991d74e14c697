package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.hbase.local.LocalHBaseOptions;
import io.acaciafs.systemtests.harness.AcaciaCommand;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.LargeWalk;
import io.acaciafs.systemtests.harness.MigrateCommand;
import io.acaciafs.systemtests.harness.MigrateCommand.Migrated;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A namespace of many files goes to HBase and back, each time by a migration that is killed half
 * way and run again. Hadoop's client finds the same files with the same attributes each time, and
 * of a sample the same blocks in the same places. Prints how many rows a second that was.
 */
@Tag("long")
class LargeMigrationTest {
  private static final long FILES = Long.getLong("acacia.migrated-files", 100_000);

  private static final int SAMPLED_OF = (int) Math.max(1, FILES / 200_000);

  /** A migration leaves a mark in each table behind so many rows; there are six a file. */
  private static final int MARKS_BEFORE_THE_KILL = 3;

  private static final Duration LIMIT = Duration.ofMinutes(10 + FILES / 500_000);

  @TempDir private Path folder;

  @Test
  void allFilesAreTheSameInBothEngines() throws Exception {
    Path classPath = Path.of(System.getProperty("acacia.hbase.classpath"));
    Map<String, String> settings = new TreeMap<>();
    // The loaded DataNodes never come, and their replicas are to be told nevertheless.
    settings.put("dfs.namenode.heartbeat.recheck-interval", Long.toString(ofDaysMs(1)));
    settings.put("acacia.store.hbase.regions", "4");
    settings.put("acacia.store.hbase.load.folder", folder.resolve("load").toUri().toString());
    Cluster.Builder builder = Cluster.builder("large-migration").dataNodes(0);
    settings.forEach(builder::set);
    try (LocalHBase hbase = LocalHBase.start(LocalHBaseOptions.of(folder, classPath, 1));
        Cluster cluster = builder.set("acacia.store.hbase.zookeeper", hbase.zooKeeper()).start()) {
      settings.put("acacia.store.hbase.zookeeper", hbase.zooKeeper());
      cluster.stopNameNode();
      Path old = cluster.nameFolder();
      load(old);
      LargeWalk before = walk(cluster);
      assertThat(before.files()).isEqualTo(FILES);
      assertThat(before.sample()).anyMatch(line -> line.contains("DISK"));

      MigrateCommand migrate = new MigrateCommand(cluster, folder.resolve("logs"), LIMIT);
      cluster.useNameNode(NameNodeProgram.ACACIA, "name-hbase");
      settings.put("acacia.store.engine", "hbase");
      settings.put("dfs.namenode.name.dir", cluster.nameFolder().toUri().toString());
      cluster.configure(settings);
      migrate(migrate, cluster.nameFolder(), old.toString(), "hbase");
      before.requireSame(walk(cluster));

      cluster.useNameNode(NameNodeProgram.ACACIA, "name-back");
      Path back = cluster.nameFolder();
      migrate(migrate, back, "hbase", back.toString());
      settings.put("acacia.store.engine", "rocksdb");
      settings.put("dfs.namenode.name.dir", back.toUri().toString());
      cluster.configure(settings);
      before.requireSame(walk(cluster));
    }
  }

  private static long ofDaysMs(int days) {
    return TimeUnit.DAYS.toMillis(days);
  }

  private void load(Path nameFolder) throws Exception {
    try (AcaciaCommand load =
        AcaciaCommand.start(
            folder.resolve("logs/load.log"),
            List.of(),
            "bench",
            "load",
            "--files",
            Long.toString(FILES),
            "-D",
            "dfs.namenode.name.dir=" + nameFolder)) {
      assertThat(load.awaitExit(LIMIT)).as(load.output()).isZero();
    }
  }

  /** Starts the NameNode for it. */
  private static LargeWalk walk(Cluster cluster) throws Exception {
    cluster.startNameNode();
    LargeWalk walk = LargeWalk.of(cluster.fileSystem(), SAMPLED_OF);
    cluster.stopNameNode();
    return walk;
  }

  private static void migrate(MigrateCommand command, Path filled, String from, String to)
      throws Exception {
    long startNs = System.nanoTime();
    Migrated migrated = command.killedAndResumed(filled, from, to, FILES, MARKS_BEFORE_THE_KILL);
    double seconds = (System.nanoTime() - startNs) / 1e9;
    System.out.printf(
        Locale.ROOT,
        "LargeMigrationTest to %s: %,d rows in %.0f s with the kill and the comparison, %,.0f a"
            + " second%n",
        to,
        migrated.rows(),
        seconds,
        migrated.rows() / seconds);
  }
}
