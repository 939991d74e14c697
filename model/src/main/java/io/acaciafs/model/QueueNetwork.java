package io.acaciafs.model;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * NameNodes, and region servers behind them. A task comes at random to any NameNode, is served
 * there, goes to any region server, if it needs one, and ends after a constant time of network and
 * disk. Immutable.
 *
 * @param regionServers 0: none
 * @param cores of each server
 */
public record QueueNetwork(int nameNodes, int regionServers, int cores, List<Task> tasks) {
  private static final double P99 = 0.99;

  /**
   * Tasks of one kind. Services are exponential.
   *
   * @param isCall a client waits for it
   * @param perSecond of all servers together
   * @param nameNodeSeconds a service at the NameNode; 0: none
   * @param regionServerSeconds a service at the region server; 0: none
   * @param constantSeconds what passes besides
   */
  public record Task(
      String name,
      boolean isCall,
      double perSecond,
      double nameNodeSeconds,
      double regionServerSeconds,
      double constantSeconds) {}

  /** Seconds that a call takes. */
  public record Latency(double mean, double p99) {}

  /** What servers are busy with, and how long calls take. */
  public record Outcome(
      double nameNodeUtilisation, double regionServerUtilisation, Map<String, Latency> latencies) {}

  /** By formulas. */
  public Outcome solve() {
    Station nameNode = nameNode();
    Station regionServer = regionServer();
    Map<String, Latency> latencies = new TreeMap<>();
    for (Task task : tasks) {
      if (task.isCall) {
        SumOfExponentials time = time(task, nameNode, regionServer);
        latencies.put(task.name, new Latency(time.mean(), time.quantile(P99)));
      }
    }
    return new Outcome(nameNode.utilisation(), regionServer.utilisation(), latencies);
  }

  private static SumOfExponentials time(Task task, Station nameNode, Station regionServer) {
    return new SumOfExponentials(
        task.constantSeconds,
        List.of(
            waiting(nameNode, task.nameNodeSeconds),
            new SumOfExponentials.Part(1, task.nameNodeSeconds),
            waiting(regionServer, task.regionServerSeconds),
            new SumOfExponentials.Part(1, task.regionServerSeconds)));
  }

  private static SumOfExponentials.Part waiting(Station station, double service) {
    return service == 0 || station.waits() == 0
        ? new SumOfExponentials.Part(0, 0)
        : new SumOfExponentials.Part(station.waits(), station.meanWait() / station.waits());
  }

  Station nameNode() {
    return station(nameNodes, Task::nameNodeSeconds);
  }

  Station regionServer() {
    return station(Math.max(1, regionServers), Task::regionServerSeconds);
  }

  /** What tasks are to servers that each of them keeps busy for so many seconds. */
  private Station station(int servers, ToDoubleFunction<Task> seconds) {
    double perSecond = 0;
    double load = 0;
    double square = 0;
    for (Task task : tasks) {
      double service = seconds.applyAsDouble(task);
      if (service > 0) {
        perSecond += task.perSecond;
        load += task.perSecond * service;
        square += task.perSecond * 2 * service * service;
      }
    }
    return perSecond == 0
        ? new Station(cores, 0, 0, 0)
        : new Station(cores, perSecond / servers, load / perSecond, square / perSecond);
  }
}
