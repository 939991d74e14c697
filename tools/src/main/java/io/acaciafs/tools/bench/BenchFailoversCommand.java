package io.acaciafs.tools.bench;

import io.acaciafs.bench.ha.FailoverTimes;
import io.acaciafs.tools.common.CommandFailure;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Failovers of three NameNodes, seen by a client. */
@Command(
    name = "failovers",
    header = "Measures failovers of three NameNodes.",
    description =
        "Three serve on this machine. A client with Hadoop's defaults makes directories one after"
            + " the other: shows how long it had none acknowledged when leadership was handed over,"
            + " and when the leader was killed.",
    showDefaultValues = true)
final class BenchFailoversCommand implements Callable<Integer> {
  private static final List<String> JVM_OPTIONS = List.of("-Xms1g", "-Xmx1g");

  @Option(names = "--kills", paramLabel = "N", description = "How often the leader is killed.")
  private int kills = 20;

  @Option(names = "--hand-overs", paramLabel = "N", description = "Before that.")
  private int handOvers = 20;

  @Option(
      names = "--load",
      paramLabel = "N",
      description =
          "Measure all of that once more, beside so many clients that create, complete and delete"
              + " files.")
  private int clients;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting of the NameNodes; may be repeated.")
  private Map<String, String> settings = Map.of();

  @Mixin private BenchRun run = new BenchRun();

  @Override
  public Integer call() throws Exception {
    if (kills < 0 || handOvers < 0 || kills + handOvers == 0) {
      throw new CommandFailure("--kills and --hand-overs are counts, and not both 0");
    }
    if (clients < 0) {
      throw new CommandFailure("--load is a count of clients");
    }
    FailoverTimes.Plan plan = new FailoverTimes.Plan(kills, handOvers, clients, settings);
    return run.run(
        (folder, machine, steps) -> {
          FailoverTimes times =
              FailoverTimes.run(plan, machine, folder, JVM_OPTIONS, BenchRun.log(steps));
          BenchRun.print(times.table());
          run.writePage(times::writeTo);
          return 0;
        });
  }
}
