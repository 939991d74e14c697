package io.acaciafs.tools.bench;

import io.acaciafs.bench.scale.ScalePlan;
import io.acaciafs.bench.workload.Operation;
import io.acaciafs.bench.workload.Sizes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** One directory on 1, 2, 4, 8 servers. */
@Command(
    name = "scale-metarates",
    header = "Measures creates and removals in one directory while servers are added.",
    description =
        "Twice as many clients as servers create files in one directory, and then remove"
            + " them, on more and more servers.",
    showDefaultValues = true)
final class BenchMetaratesCommand implements Callable<Integer> {
  private static final int CLIENTS_A_SERVER = 2;

  @Mixin private BenchScaleOptions options = new BenchScaleOptions();

  @Override
  public Integer call() throws Exception {
    boolean quick = options.isQuick();
    return options.run(
        new ScalePlan(
            "metarates",
            options.site(),
            new ScalePlan.Load(
                List.of(Operation.METARATES),
                options.shape(CLIENTS_A_SERVER),
                new Sizes(1, 1, 1, quick ? 12_000 : 20_000, 1)),
            new ScalePlan.Times(
                Duration.ofSeconds(quick ? 5 : 15),
                Duration.ZERO,
                Duration.ofSeconds(quick ? 20 : 60)),
            options.rounds()));
  }
}
