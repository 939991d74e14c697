package io.acaciafs.tools.bench;

import io.acaciafs.bench.compare.Growth;
import io.acaciafs.tools.common.CommandFailure;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Acacia on namespaces of growing size. */
@Command(
    name = "growth",
    header = "Measures a NameNode on namespaces of growing size.",
    description =
        "Loads namespaces of growing size, starts a NameNode on each, and measures it:"
            + " time to the first answer, memory, disk, operations on files of the benchmark's"
            + " own and on any of the loaded ones.",
    showDefaultValues = true)
final class BenchGrowthCommand implements Callable<Integer> {

  @Option(names = "--files", paramLabel = "N", split = ",", description = "The sizes.")
  private List<Long> files = List.of(100_000L, 1_000_000L, 10_000_000L, 100_000_000L);

  @Mixin private BenchRun run = new BenchRun();

  @Option(
      names = "--jvm",
      paramLabel = "OPTION",
      arity = "1",
      description = "Option of the NameNode's JVM; may be repeated.")
  private List<String> jvmOptions = List.of("-Xms1g", "-Xmx1g");

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Setting of the NameNode; may be repeated.")
  private Map<String, String> settings = Map.of();

  @Override
  public Integer call() throws Exception {
    if (files.stream().anyMatch(each -> each < 1)) {
      throw new CommandFailure("--files are to be at least 1");
    }
    return run.run(
        (folder, machine, steps) -> {
          Growth growth = new Growth(folder, jvmOptions, settings, steps, BenchRun.log(steps));
          String table = growth.run(files, machine);
          BenchRun.print(table);
          run.writePage(page -> Growth.write(page, table));
          return 0;
        });
  }
}
