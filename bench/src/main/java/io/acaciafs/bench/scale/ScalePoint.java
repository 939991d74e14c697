package io.acaciafs.bench.scale;

import java.util.List;

/**
 * One operation on so many servers.
 *
 * @param operation its name
 * @param longestMs the longest call
 * @param failures lines for people
 */
public record ScalePoint(
    int servers,
    String operation,
    double operationsPerSecond,
    Processors processors,
    double longestMs,
    List<String> failures) {
  private static final double BUSY_SERVERS = 0.8;
  private static final double BUSY_CLIENT = 0.8;
  private static final double BUSY_MACHINE = 0.93;

  /**
   * What was taken of the processors.
   *
   * @param serversUsed part of what they were allowed that the servers used, 0 to 1; on average
   * @param clientCores processors that this process took
   * @param machineUsed part of all processors that was in use, 0 to 1
   * @param serverMicros time of a processor that the servers took for one operation
   * @param workMicros what a piece of work of always the same size took meanwhile, see {@link
   *     CpuWorth}; 0 where that is not known
   */
  public record Processors(
      double serversUsed,
      double clientCores,
      double machineUsed,
      double serverMicros,
      double workMicros) {}

  double growthFrom(ScalePoint fewer) {
    return operationsPerSecond / fewer.operationsPerSecond;
  }

  /** As if a second of a processor had been worth the same both times; 0 where that is unknown. */
  double growthOfEqualWorthFrom(ScalePoint fewer) {
    double before = fewer.processors.workMicros;
    return before == 0 ? 0 : growthFrom(fewer) * processors.workMicros / before;
  }

  /** What limited it. */
  public String limit() {
    if (processors.clientCores > BUSY_CLIENT) {
      return "the client";
    }
    if (processors.machineUsed > BUSY_MACHINE) {
      return "the machine";
    }
    return processors.serversUsed >= BUSY_SERVERS ? "the servers" : "waiting";
  }
}
