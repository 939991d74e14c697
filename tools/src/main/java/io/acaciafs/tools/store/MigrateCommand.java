package io.acaciafs.tools.store;

import io.acaciafs.namenode.store.Migration;
import io.acaciafs.tools.common.CommandFailure;
import io.acaciafs.tools.common.ConfigurationOptions;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** From engine to engine, without touching data. */
@Command(
    name = "migrate",
    header = "Moves the namespace from a folder to HBase, or from HBase to a folder.",
    description =
        "All rows go as they are, so the DataNodes keep their blocks. Stop all NameNodes first; the"
            + " old place is not changed. After a kill the same command goes on where it was. The"
            + " rows of both places are compared in the end.",
    showDefaultValues = true)
public final class MigrateCommand implements Callable<Integer> {

  @Mixin private ConfigurationOptions configuration = new ConfigurationOptions();

  @Option(
      names = "--from",
      paramLabel = "PLACE",
      required = true,
      description = "Where it is: the folder of a NameNode (dfs.namenode.name.dir), or hbase.")
  private String from;

  @Option(
      names = "--to",
      paramLabel = "PLACE",
      required = true,
      description =
          "Where it is to be: hbase, in a table that is not there yet, and dfs.namenode.name.dir for"
              + " its NameNode; or a folder that is empty.")
  private String to;

  @Option(names = "--threads", paramLabel = "N", description = "Tables at a time.")
  private int threads = Math.max(4, Runtime.getRuntime().availableProcessors());

  @Option(
      names = "--rows",
      paramLabel = "N",
      description =
          "Rows of a table that are copied anew after a kill, at most. HBase gets fewer and larger"
              + " files of more.")
  private int rows = 16_000_000;

  @Override
  public Integer call() throws Exception {
    if (threads < 1 || rows < 1) {
      throw new CommandFailure("--threads and --rows are to be at least 1");
    }
    long startNs = System.nanoTime();
    Migration.Moved moved;
    try (RowSteps steps = new RowSteps(System.err, System.console() != null, System.out)) {
      moved = Migration.run(configuration.load(), from, to, threads, rows, steps);
    }
    System.out.printf(
        Locale.ROOT,
        "Migrated from %s to %s%s in %.1f s: %,d rows on both sides, checksum %s%n",
        moved.from(),
        moved.to(),
        moved.wentOn() ? ", which an earlier migration had begun," : "",
        (System.nanoTime() - startNs) / 1e9,
        moved.digest().rows(),
        moved.digest());
    return 0;
  }
}
