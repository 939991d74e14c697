package io.acaciafs.tools.bench;

import io.acaciafs.bench.fleet.DatanodeCosts;
import io.acaciafs.tools.common.CommandFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Thousands of DataNodes at some NameNodes. */
@Command(
    name = "datanodes",
    header = "Measures what thousands of DataNodes cost NameNodes, and a restart of all NameNodes.",
    description =
        "The DataNodes exist only in what they say: they register, send heartbeats, incremental and"
            + " full reports. On RocksDB the replicas are loaded, on HBase clients write them.",
    showDefaultValues = true)
final class BenchDatanodesCommand implements Callable<Integer> {
  private static final long LOADED_REPLICAS = 100_000_000;
  private static final long WRITTEN_REPLICAS = 300_000;

  @Option(names = "--quick", description = "Measures a third as long.")
  private boolean quick;

  @Option(names = "--engine", paramLabel = "NAME", description = "rocksdb or hbase.")
  private String engineName = "rocksdb";

  @Option(names = "--datanodes", paramLabel = "N", description = "How many DataNodes.")
  private int datanodes = 10_000;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      description =
          "How many replicas they have in all, nearly (default: 100,000,000 on RocksDB, 300,000 on"
              + " HBase).")
  private @Nullable Long replicas;

  @Option(
      names = "--namenodes",
      paramLabel = "N",
      description = "How many NameNodes (default: 1 on RocksDB, 2 on HBase).")
  private @Nullable Integer nameNodes;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long each is measured (default: 60; with --quick 20).")
  private @Nullable Integer seconds;

  @Option(
      names = "--jvm",
      paramLabel = "OPTION",
      arity = "1",
      description = "Option of the NameNodes' JVMs; may be repeated.")
  private List<String> jvmOptions = List.of("-Xms1g", "-Xmx1g");

  @Option(names = "--json", paramLabel = "FILE", description = "Write the figures into this file.")
  private @Nullable Path json;

  @Mixin private BenchRun run = new BenchRun();

  private DatanodeCosts.Engine engine() throws CommandFailure {
    return switch (engineName) {
      case "rocksdb" -> DatanodeCosts.Engine.ROCKSDB;
      case "hbase" -> DatanodeCosts.Engine.HBASE;
      default -> throw new CommandFailure("--engine is to be rocksdb or hbase");
    };
  }

  @Override
  public Integer call() throws Exception {
    DatanodeCosts.Engine engine = engine();
    boolean isLoaded = engine == DatanodeCosts.Engine.ROCKSDB;
    int servers = nameNodes == null ? (isLoaded ? 1 : 2) : nameNodes;
    if (isLoaded && servers != 1) {
      throw new CommandFailure("On RocksDB one NameNode serves: --namenodes is to be 1");
    }
    long held = replicas == null ? (isLoaded ? LOADED_REPLICAS : WRITTEN_REPLICAS) : replicas;
    Duration steady = Duration.ofSeconds(seconds == null ? (quick ? 20 : 60) : seconds);
    if (datanodes < 3 || held < 3 || servers < 1 || steady.isNegative() || steady.isZero()) {
      throw new CommandFailure(
          "--datanodes and --replicas are to be at least 3, --namenodes and --seconds at least 1");
    }
    DatanodeCosts.Plan plan =
        new DatanodeCosts.Plan(
            engine,
            datanodes,
            held,
            servers,
            Duration.ofSeconds(3),
            steady.multipliedBy(2),
            steady,
            Duration.ofSeconds(15),
            steady.multipliedBy(2),
            jvmOptions);
    return run.run(
        (folder, machine, steps) -> {
          DatanodeCosts.Outcome outcome =
              DatanodeCosts.run(plan, machine, folder, steps, BenchRun.log(steps));
          BenchRun.print(outcome.table());
          run.writePage(outcome::writeTo);
          if (json != null) {
            outcome.writeJson(json);
          }
          return 0;
        });
  }
}
