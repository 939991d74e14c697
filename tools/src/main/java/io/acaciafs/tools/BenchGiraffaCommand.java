package io.acaciafs.tools;

import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.scale.ScalePlan;
import io.acaciafs.bench.workload.Operation;
import io.acaciafs.bench.workload.Sizes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Many directories on 1, 2, 4, 8 servers. */
@Command(
    name = "scale-giraffa",
    description = {
      "Many tasks start at once and list, stat, open, create, mkdir and delete files in many",
      "directories, while the table is cut live for one region server more and more."
    },
    showDefaultValues = true)
final class BenchGiraffaCommand implements Callable<Integer> {
  private static final int CONNECTIONS = 4;
  private static final int IN_FLIGHT = 32;

  @Mixin private BenchScaleOptions options = new BenchScaleOptions();

  @Override
  public Integer call() throws Exception {
    boolean quick = options.isQuick();
    return options.run(
        new ScalePlan(
            "giraffa",
            options.servers(),
            List.of(
                Operation.LIST_STATUS,
                Operation.STAT,
                Operation.OPEN,
                Operation.CREATE,
                Operation.MKDIR,
                Operation.DELETE),
            options.nameNodes(),
            options.percent(),
            new Shape(CONNECTIONS, IN_FLIGHT),
            Duration.ofSeconds(quick ? 3 : 8),
            Duration.ofSeconds(quick ? 2 : 5),
            Duration.ofSeconds(quick ? 5 : 20),
            new Sizes(256, 2, 20, quick ? 1_500 : 6_000, Integer.MAX_VALUE),
            options.layout()));
  }
}
