package io.acaciafs.tools;

import io.acaciafs.model.Costs;
import io.acaciafs.model.CostsReader;
import io.acaciafs.model.GrowthPlots;
import io.acaciafs.model.InputException;
import io.acaciafs.model.Plan;
import io.acaciafs.model.Planner;
import io.acaciafs.model.ReportText;
import io.acaciafs.model.Simulation;
import io.acaciafs.model.Site;
import io.acaciafs.model.SiteReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** How many servers a site needs, from measured costs. */
@Command(
    name = "model",
    header = "Says how many servers a site needs, what runs out first, and how long calls take.",
    description =
        "SITE.json says what the site has and does; conf/model/ has examples. Exits with 1 if no"
            + " number of servers suffices.",
    showDefaultValues = true)
final class ModelCommand implements Callable<Integer> {
  /** Plots begin with a hundred-thousandth of the site. */
  private static final int DECADES = 5;

  @Parameters(paramLabel = "SITE.json", description = "What the site has and does.")
  private Path site;

  @Option(
      names = "--costs",
      paramLabel = "FOLDER",
      description =
          "Holds costs.json, datanodes-rocksdb.json, datanodes-hbase.json and, if wanted, pair.json"
              + " (default: those of this version; in a checkout the latest are in bench/results).")
  private @Nullable Path costs;

  @Option(
      names = "--plots",
      paramLabel = "FOLDER",
      description =
          "Also draws what the site needs while it grows to its size: model-servers.svg and"
              + " model-limits.svg.")
  private @Nullable Path plots;

  @Option(names = "--simulate", description = "Also plays it, call by call.")
  private boolean simulates;

  @Option(names = "--tasks", paramLabel = "N", description = "Calls and reports to simulate.")
  private long tasks = 2_000_000;

  @Option(names = "--seed", paramLabel = "N", description = "Of the simulation.")
  private long seed = 1;

  @Override
  public Integer call() throws IOException, InputException {
    Costs measured = costs == null ? CostsReader.ofThisVersion() : CostsReader.of(costs);
    Site described = SiteReader.read(site, measured.calls());
    Plan plan = Planner.plan(described, measured);
    System.out.print(ReportText.of(plan, measured));
    if (simulates) {
      System.out.print(
          ReportText.of(
              plan.network(), Simulation.run(plan.network(), tasks, new SplittableRandom(seed))));
    }
    if (plots != null) {
      GrowthPlots drawn = GrowthPlots.of(described, measured, DECADES);
      Files.writeString(plots.resolve("model-servers.svg"), drawn.servers());
      Files.writeString(plots.resolve("model-limits.svg"), drawn.limits());
    }
    return plan.fits() ? 0 : 1;
  }
}
