package io.acaciafs.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Finds the servers of a site. Stateless. */
public final class Planner {
  private Planner() {}

  /**
   * With the engine that the site asks for, or the smallest that suffices.
   *
   * @return a plan that may not fit: then no number of servers suffices
   */
  public static Plan plan(Site site, Costs costs) {
    return switch (site.engine()) {
      case ROCKSDB, RAFT -> EmbeddedPlan.of(site, costs, site.engine(), List.of());
      case HBASE -> HBasePlan.of(site, costs, List.of());
      case AUTO -> smallest(site, costs);
    };
  }

  private static Plan smallest(Site site, Costs costs) {
    List<String> remarks = new ArrayList<>();
    for (Site.Engine engine : List.of(Site.Engine.ROCKSDB, Site.Engine.RAFT)) {
      Plan plan = EmbeddedPlan.of(site, costs, engine, remarks);
      if (plan.fits()) {
        return plan;
      }
      Limit worst = plan.byUse().get(0);
      remarks.add(
          String.format(
              Locale.ROOT,
              "%s does not suffice: %s would be used %.1f times.",
              engine == Site.Engine.ROCKSDB ? "One NameNode on RocksDB" : "Three by Raft",
              worst.name(),
              worst.part()));
    }
    return HBasePlan.of(site, costs, remarks);
  }
}
