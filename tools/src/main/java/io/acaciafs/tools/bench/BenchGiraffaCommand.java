package io.acaciafs.tools.bench;

import io.acaciafs.bench.scale.ScalePlan;
import io.acaciafs.bench.workload.Operation;
import io.acaciafs.bench.workload.Sizes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Many directories on 1, 2, 4, 8 servers. */
@Command(
    name = "scale-giraffa",
    header = "Measures how the operations of many clients grow with the servers of an HBase.",
    description =
        "Many tasks start at once and list, stat, open, create, mkdir and delete files in"
            + " many directories, while the table is cut live for one region server more and"
            + " more.",
    showDefaultValues = true)
final class BenchGiraffaCommand implements Callable<Integer> {
  private static final int CONNECTIONS = 4;

  private static final List<Operation> ALL =
      List.of(
          Operation.LIST_STATUS,
          Operation.STAT,
          Operation.OPEN,
          Operation.CREATE,
          Operation.MKDIR,
          Operation.DELETE);

  @Mixin private BenchScaleOptions options = new BenchScaleOptions();

  @Option(
      names = "--operations",
      paramLabel = "NAME",
      split = ",",
      description = "Only these, of: list_status, stat, open, create, mkdir, delete.")
  private List<String> operations = List.of();

  @Override
  public Integer call() throws Exception {
    boolean quick = options.isQuick();
    return options.run(
        new ScalePlan(
            "giraffa",
            options.site(),
            new ScalePlan.Load(
                BenchOperations.chosen(operations, ALL),
                options.shape(CONNECTIONS),
                new Sizes(256, 2, 20, quick ? 4_500 : 15_000, Integer.MAX_VALUE)),
            new ScalePlan.Times(
                Duration.ofSeconds(quick ? 2 : 8),
                Duration.ofSeconds(quick ? 2 : 5),
                Duration.ofSeconds(quick ? 6 : 20)),
            options.rounds()));
  }
}
