package io.acaciafs.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.acaciafs.model.QueueNetwork.Latency;
import io.acaciafs.model.QueueNetwork.Outcome;
import io.acaciafs.model.QueueNetwork.Task;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SimulationTest {
  private static final double UTILISATION_OFF = 0.03;
  private static final double LATENCY_OFF = 0.1;

  @Test
  void agreesWithTheFormulasForFewServers() {
    assertAgrees(network(3, 5, 8, 0.7), 1_500_000, 1);
  }

  @Test
  void agreesWithTheFormulasForBusyServersOfFewProcessors() {
    assertAgrees(network(1, 1, 4, 0.75), 2_000_000, 2);
  }

  /** Services of very different length. */
  @Test
  void agreesWithTheFormulasWhereReportsAreLong() {
    List<Task> tasks =
        List.of(
            new Task("stat", true, 20_000, 100e-6, 100e-6, 4e-4),
            new Task("report", false, 1_000, 1e-3, 2e-3, 0));
    assertAgrees(new QueueNetwork(1, 1, 8, tasks), 1_500_000, 3);
  }

  @Test
  void agreesWithTheFormulasForTenThousandServers() {
    assertAgrees(network(4_000, 6_000, 16, 0.6), 3_000_000, 4);
  }

  @Test
  void theSameSeedGivesTheSame() {
    QueueNetwork network = network(2, 2, 4, 0.5);
    assertThat(Simulation.run(network, 10_000, new SplittableRandom(5)))
        .isEqualTo(Simulation.run(network, 10_000, new SplittableRandom(5)));
  }

  /** Both kinds of servers are as busy as that. */
  private static QueueNetwork network(
      int nameNodes, int regionServers, int cores, double utilisation) {
    double perSecond = utilisation * cores * nameNodes / 100e-6; // with 100 us on average
    double regionServer = 100e-6 * regionServers / nameNodes;
    return new QueueNetwork(
        nameNodes,
        regionServers,
        cores,
        List.of(
            new Task("stat", true, 0.8 * perSecond, 75e-6, 0.75 * regionServer, 4e-4),
            new Task("create", true, 0.15 * perSecond, 200e-6, 8.0 / 3 * regionServer, 2e-3),
            new Task("heartbeat", false, 0.05 * perSecond, 200e-6, 0, 0)));
  }

  private static void assertAgrees(QueueNetwork network, long tasks, long seed) {
    Outcome formulas = network.solve();
    Outcome simulated = Simulation.run(network, tasks, new SplittableRandom(seed));
    assertThat(simulated.nameNodeUtilisation())
        .isCloseTo(
            formulas.nameNodeUtilisation(),
            within(UTILISATION_OFF * formulas.nameNodeUtilisation()));
    assertThat(simulated.regionServerUtilisation())
        .isCloseTo(
            formulas.regionServerUtilisation(),
            within(UTILISATION_OFF * formulas.regionServerUtilisation()));
    assertThat(simulated.latencies().keySet()).isEqualTo(formulas.latencies().keySet());
    formulas
        .latencies()
        .forEach(
            (call, expected) -> {
              Latency found = simulated.latencies().get(call);
              assertThat(found.mean())
                  .as("mean of %s", call)
                  .isCloseTo(expected.mean(), within(LATENCY_OFF * expected.mean()));
              assertThat(found.p99())
                  .as("p99 of %s", call)
                  .isCloseTo(expected.p99(), within(LATENCY_OFF * expected.p99()));
            });
  }
}
