package io.acaciafs.bench.scale;

import io.acaciafs.bench.BenchSettings;
import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.client.Span;
import io.acaciafs.bench.workload.Stage;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The same load on NameNodes of any kind, each with the same share of a processor while it is
 * measured. To be closed when the processes have ended. For one thread.
 */
public final class LimitedLoad implements AutoCloseable {
  private final int percentOfCore;
  private final CpuQuotas quotas;
  private final SplittableRandom random = new SplittableRandom(1);
  private int groups;

  /**
   * @param percentOfCore for each NameNode
   * @throws IOException when this machine cannot limit processes, with what to install
   */
  public LimitedLoad(int percentOfCore) throws IOException {
    this.percentOfCore = percentOfCore;
    quotas = CpuQuotas.ofThisMachine();
  }

  /** The share of each, for people. */
  public String describe() {
    return percentOfCore + " % of a processor (" + quotas.describe() + ")";
  }

  /** Takes a NameNode, which has a limit when any is measured. */
  public void add(BenchSettings.Target nameNode) throws IOException {
    quotas.put(groups, nameNode.pids());
    groups++;
  }

  /**
   * Measures NameNodes at once.
   *
   * @param nameNodes some of those that were added
   * @param shape of the load on each
   */
  public ScalePoint measure(
      List<BenchSettings.Target> nameNodes, Shape shape, Stage stage, Span span)
      throws IOException {
    CpuWatch watch =
        new CpuWatch(nameNodes.stream().flatMap(each -> each.pids().stream()).toList());
    try (ManyGenerators load = new ManyGenerators(nameNodes, shape, random)) {
      limit(percentOfCore);
      ManyGenerators.Seen seen = load.run(stage, span, watch);
      return new ScalePoint(
          nameNodes.size(),
          stage.name(),
          seen.operationsPerSecond(),
          new ScalePoint.Processors(
              watch.serverCores() * 100 / (percentOfCore * nameNodes.size()),
              watch.ownCores(),
              watch.machineUsed(),
              watch.serverCores() * 1e6 / seen.operationsPerSecond(),
              0),
          seen.longestMs(),
          seen.failures());
    } finally {
      limit(0);
    }
  }

  private void limit(int percent) throws IOException {
    for (int group = 0; group < groups; group++) {
      quotas.limit(group, percent);
    }
  }

  @Override
  public void close() throws IOException {
    quotas.close();
  }
}
