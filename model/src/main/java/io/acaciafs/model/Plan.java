package io.acaciafs.model;

import java.util.Comparator;
import java.util.List;

/**
 * The servers of a site, and what they have to do.
 *
 * @param engine what holds the namespace
 * @param remarks sentences: why not a smaller engine, what a figure rests on
 * @param limits what can run out
 * @param network the calls and other work, as queues see them
 * @param commitGroup changes that share a request; 1 where nothing is shared
 * @param readGroup the same of reads
 */
public record Plan(
    Site site,
    Site.Engine engine,
    List<String> remarks,
    List<ServerGroup> servers,
    List<Limit> limits,
    QueueNetwork network,
    double commitGroup,
    double readGroup) {

  /** What runs out first comes first. */
  public List<Limit> byUse() {
    return limits.stream().sorted(Comparator.comparingDouble(Limit::part).reversed()).toList();
  }

  /** Whether there is enough of everything. */
  public boolean fits() {
    return limits.stream().allMatch(limit -> limit.part() <= 1);
  }

  /** All servers but DataNodes. */
  public int serverCount() {
    return servers.stream().mapToInt(ServerGroup::count).sum();
  }
}
