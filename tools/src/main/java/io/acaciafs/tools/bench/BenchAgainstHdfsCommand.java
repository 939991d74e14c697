package io.acaciafs.tools.bench;

import io.acaciafs.bench.compare.Comparison;
import io.acaciafs.bench.compare.ComparisonReport;
import io.acaciafs.bench.compare.Plan;
import io.acaciafs.bench.ha.HaComparison;
import io.acaciafs.bench.ha.HaReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Acacia and Hadoop's NameNode, measured in turn on this machine. */
@Command(
    name = "against-hdfs",
    description = "Starts Hadoop's NameNode and Acacia's, measures both in turn, shows the ratios.",
    showDefaultValues = true)
final class BenchAgainstHdfsCommand implements Callable<Integer> {

  @Option(names = "--quick", description = "Ends within ten minutes.")
  private boolean quick;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the figures there as JSON.")
  private @Nullable Path json;

  @Option(
      names = "--ha",
      description =
          "Three NameNodes of Acacia, and Hadoop's NameNode with a standby and three JournalNodes;"
              + " failovers too.")
  private boolean ha;

  @Option(
      names = "--failovers",
      paramLabel = "N",
      description = "With --ha: how often the NameNode that serves is killed, on each side.")
  private int failovers = 20;

  @Option(
      names = "--load",
      paramLabel = "N",
      description =
          "With --ha: measure failovers once more, beside so many clients that create, complete and"
              + " delete files; 0: do not.")
  private int clients = 16;

  @Mixin private BenchRun run = new BenchRun();

  @Option(
      names = "--jvm",
      paramLabel = "OPTION",
      arity = "1",
      description =
          "Option of the NameNodes' JVMs; may be repeated. Default: -Xms4g -Xmx4g, with --ha 1g.",
      showDefaultValue = Visibility.NEVER)
  private List<String> jvmOptions = List.of();

  @Override
  public Integer call() throws Exception {
    Plan plan = quick ? Plan.quick() : Plan.thorough();
    return ha ? runHa(plan) : runAlone(plan);
  }

  private List<String> jvmOptions(String heap) {
    return jvmOptions.isEmpty() ? List.of("-Xms" + heap, "-Xmx" + heap) : jvmOptions;
  }

  private int runHa(Plan plan) throws Exception {
    return run.run(
        (folder, machine, steps) -> {
          HaComparison comparison =
              new HaComparison(plan, folder, jvmOptions("1g"), steps, BenchRun.log(steps));
          HaReport report = comparison.run(machine, failovers, clients);
          BenchRun.print(report.table());
          run.writePage(report::writeTo);
          return exitCode(comparison.failures());
        });
  }

  private static int exitCode(List<String> failures) {
    failures.forEach(failure -> System.err.println("failed: " + failure));
    return failures.isEmpty() ? 0 : 1;
  }

  private int runAlone(Plan plan) throws Exception {
    return run.run(
        (folder, machine, steps) -> {
          try (Comparison comparison =
              Comparison.start(plan, folder, jvmOptions("4g"), steps, BenchRun.log(steps))) {
            ComparisonReport report = comparison.run(machine);
            BenchRun.print(report.table());
            if (json != null) {
              Files.writeString(json, report.json());
            }
            run.writePage(report::writeTo);
            return exitCode(comparison.failures());
          }
        });
  }
}
