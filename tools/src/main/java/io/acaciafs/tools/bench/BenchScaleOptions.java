package io.acaciafs.tools.bench;

import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.scale.ScalePlan;
import io.acaciafs.bench.scale.ScaleReport;
import io.acaciafs.bench.scale.ScaleRun;
import io.acaciafs.tools.common.CommandFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What benchmarks of growing numbers of servers have in common. */
final class BenchScaleOptions {
  private static final int ROUNDS = 3;

  @Option(names = "--quick", description = "Ends within half an hour on two processors.")
  private boolean quick;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the figures there as JSON.")
  private @Nullable Path json;

  @Option(
      names = "--servers",
      paramLabel = "N",
      split = ",",
      description = "How many region servers, with a NameNode each, in this order.")
  private List<Integer> servers = List.of(1, 2, 4, 8);

  @Option(
      names = "--namenodes",
      paramLabel = "N",
      description = "How many NameNodes; one alone gets no limit (default: one each).")
  private @Nullable Integer nameNodes;

  @Option(
      names = "--percent",
      paramLabel = "N",
      description = "What each pair of servers may use of a processor.")
  private int percent = 20;

  @Option(names = "--in-flight", paramLabel = "N", description = "Calls in flight for each server.")
  private int inFlight = 1024;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "How often each is measured; the median counts (default: 3; with --quick reads 3, all"
              + " else 1).")
  private @Nullable Integer rounds;

  @Option(names = "--layout", description = "Row keys: spread or locality.")
  private String layout = "spread";

  @Mixin private BenchRun run = new BenchRun();

  boolean isQuick() {
    return quick;
  }

  ScalePlan.Site site() {
    int most = servers.stream().mapToInt(n -> n).max().orElse(1);
    return new ScalePlan.Site(servers, nameNodes != null ? nameNodes : most, percent, layout);
  }

  /**
   * The load on each server.
   *
   * @throws CommandFailure when there are fewer calls than connections
   */
  Shape shape(int connections) throws CommandFailure {
    if (inFlight < connections) {
      throw new CommandFailure(
          "There are " + connections + " connections, so --in-flight is at least that");
    }
    return new Shape(connections, inFlight / connections);
  }

  ScalePlan.Rounds rounds() {
    int usual = quick ? 1 : ROUNDS;
    return rounds == null
        ? new ScalePlan.Rounds(usual, ROUNDS)
        : new ScalePlan.Rounds(rounds, rounds);
  }

  /** Runs a plan, and writes what was asked for. */
  int run(ScalePlan plan) throws Exception {
    return run.run(
        (folder, machine, steps) -> {
          ScaleReport report = ScaleRun.run(plan, folder, BenchRun.log(steps));
          BenchRun.print(report.table(machine));
          if (json != null) {
            Files.writeString(json, report.json());
          }
          run.writePage(page -> report.writeTo(page, machine));
          return report.hasFailures() ? 1 : 0;
        });
  }
}
