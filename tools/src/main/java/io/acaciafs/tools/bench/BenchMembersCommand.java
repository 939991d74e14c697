package io.acaciafs.tools.bench;

import io.acaciafs.bench.ha.LargeGroup;
import io.acaciafs.tools.common.CommandFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Three NameNodes with a large namespace. */
@Command(
    name = "members",
    header = "Measures three NameNodes with a large namespace.",
    description =
        "Two serve; a third one joins while files are created, is killed, is away, and comes back."
            + " Shows how long it takes to have all, how long clients wait meanwhile, and how large"
            + " the log and the disk of the others become.",
    showDefaultValues = true)
final class BenchMembersCommand implements Callable<Integer> {
  private static final List<String> JVM_OPTIONS = List.of("-Xms1g", "-Xmx1g");

  @Option(names = "--files", paramLabel = "N", description = "Loaded before they serve.")
  private long files = 100_000_000;

  @Option(names = "--in-flight", paramLabel = "N", description = "Creates in flight all the time.")
  private int inFlight = 8;

  @Option(names = "--away", paramLabel = "SECONDS", description = "How long the third one is dead.")
  private int away = 3_600;

  @Mixin private BenchRun run = new BenchRun();

  @Override
  public Integer call() throws Exception {
    if (files < 1 || inFlight < 1 || away < 0) {
      throw new CommandFailure("--files and --in-flight are to be at least 1, --away at least 0");
    }
    LargeGroup.Plan plan = new LargeGroup.Plan(files, inFlight, Duration.ofSeconds(away));
    return run.run(
        (folder, machine, steps) -> {
          String table = LargeGroup.run(plan, machine, folder, JVM_OPTIONS, BenchRun.log(steps));
          BenchRun.print(table);
          run.writePage(page -> LargeGroup.write(page, table));
          return 0;
        });
  }
}
