package io.acaciafs.systemtests.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/**
 * {@code acacia migrate} with the settings of a cluster, in processes of its own. Not thread-safe.
 */
public final class MigrateCommand {
  private static final List<String> SETTINGS =
      List.of(
          "fs.defaultFS",
          "dfs.namenode.name.dir",
          "acacia.store.hbase.zookeeper",
          "acacia.store.hbase.regions",
          "acacia.store.hbase.load.folder");

  private static final Pattern RESULT =
      Pattern.compile(
          "which an earlier migration had begun, in .* s: (\\S+) rows on both sides,"
              + " checksum (\\w{32})");

  private final Cluster cluster;
  private final Path logs;
  private final Duration limit;
  private final List<String> jvmOptions;
  private int starts;

  /**
   * @param logs a folder for their output
   * @param limit in which each of them ends
   */
  public MigrateCommand(Cluster cluster, Path logs, Duration limit, String... jvmOptions) {
    this.cluster = cluster;
    this.logs = logs;
    this.limit = limit;
    this.jvmOptions = List.of(jvmOptions);
  }

  /** What both sides had in the end. */
  public record Migrated(long rows, String checksum) {}

  /** Starts one, from a folder to {@code hbase} or back. */
  public AcaciaCommand start(String from, String to, String... more) throws IOException {
    Configuration site = cluster.clientConfiguration();
    List<String> all = new ArrayList<>(List.of("migrate", "--from", from, "--to", to));
    all.addAll(List.of(more));
    for (String key : SETTINGS) {
      all.addAll(List.of("-D", key + "=" + site.get(key)));
    }
    return AcaciaCommand.start(
        logs.resolve("migrate-" + ++starts + ".log"), jvmOptions, all.toArray(String[]::new));
  }

  /**
   * Kills one when it has left marks, and lets the next one end.
   *
   * @param filled the folder of the new NameNode
   * @param rows between two marks of a table, of the one that is killed
   * @param marks how often they have changed before the kill
   */
  public Migrated killedAndResumed(Path filled, String from, String to, long rows, int marks)
      throws Exception {
    Path file = filled.resolve("current/migration");
    try (AcaciaCommand killed = start(from, to, "--rows", Long.toString(rows))) {
      Set<String> seen = new HashSet<>();
      Await.until("marks of a migration", limit, () -> changes(file, seen) >= marks);
      assertThat(killed.output()).as("killed before its end").doesNotContain("Migrated from");
    }
    assertThat(filled.resolve("current/VERSION")).as("killed before its end").doesNotExist();
    try (AcaciaCommand command = start(from, to)) {
      assertThat(command.awaitExit(limit)).as(command.output()).isZero();
      Matcher result = RESULT.matcher(command.output());
      assertThat(result.find()).as(command.output()).isTrue();
      assertThat(file).doesNotExist();
      return new Migrated(Long.parseLong(result.group(1).replace(",", "")), result.group(2));
    }
  }

  private static int changes(Path marks, Set<String> seen) throws IOException {
    if (Files.exists(marks)) {
      String now = Files.readString(marks);
      if (now.contains("table.")) {
        seen.add(now);
      }
    }
    return seen.size();
  }
}
