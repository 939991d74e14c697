package io.acaciafs.tools.bench;

import io.acaciafs.bench.compare.Comparison;
import io.acaciafs.bench.compare.ComparisonReport;
import io.acaciafs.bench.compare.Plan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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

  @Mixin private BenchRun run = new BenchRun();

  @Option(
      names = "--jvm",
      paramLabel = "OPTION",
      arity = "1",
      description = "Option of both JVMs; may be repeated.")
  private List<String> jvmOptions = List.of("-Xms4g", "-Xmx4g");

  @Override
  public Integer call() throws Exception {
    return run.run(
        (folder, machine, steps) -> {
          Plan plan = quick ? Plan.quick() : Plan.thorough();
          try (Comparison comparison =
              Comparison.start(plan, folder, jvmOptions, steps, BenchRun.log(steps))) {
            ComparisonReport report = comparison.run(machine);
            BenchRun.print(report.table());
            if (json != null) {
              Files.writeString(json, report.json());
            }
            run.writePage(report::writeTo);
            comparison.failures().forEach(failure -> System.err.println("failed: " + failure));
            return comparison.failures().isEmpty() ? 0 : 1;
          }
        });
  }
}
