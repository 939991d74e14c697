package io.acaciafs.tools.bench;

import io.acaciafs.bench.compare.Plan;
import io.acaciafs.bench.ha.ObserverReads;
import io.acaciafs.tools.common.CommandFailure;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Reads of one NameNode and of three, measured in turn on this machine. */
@Command(
    name = "observers",
    description = "Starts one NameNode and three, shows what a read costs each of them.")
final class BenchObserversCommand implements Callable<Integer> {
  private static final List<String> JVM_OPTIONS = List.of("-Xms1g", "-Xmx1g");

  @Option(names = "--quick", description = "Ends within eight minutes.")
  private boolean quick;

  @Option(
      names = "--percent",
      paramLabel = "N",
      description =
          "What each NameNode may use of a processor when reads a second are measured: so little"
              + " that three and the client do not need all processors.",
      showDefaultValue = Visibility.ALWAYS)
  private int percent = 20;

  @Mixin private BenchRun run = new BenchRun();

  @Override
  public Integer call() throws Exception {
    if (percent < 1) {
      throw new CommandFailure("--percent is to be at least 1");
    }
    Plan plan = quick ? Plan.quick() : Plan.thorough();
    return run.run(
        (folder, machine, steps) -> {
          ObserverReads.Outcome outcome =
              ObserverReads.run(
                  plan, percent, machine, folder, JVM_OPTIONS, steps, BenchRun.log(steps));
          BenchRun.print(outcome.table());
          run.writePage(outcome::writeTo);
          outcome.failures().forEach(failure -> System.err.println("failed: " + failure));
          return outcome.failures().isEmpty() ? 0 : 1;
        });
  }
}
