package io.acaciafs.bench.compare;

/** Both servers in one operation. */
public record Result(Plan.Item item, Figures hdfs, Figures acacia) {

  /** How many times as much Acacia does. */
  public double throughputRatio() {
    return acacia.operationsPerSecond() / hdfs.operationsPerSecond();
  }

  /** How many times as much CPU HDFS takes for one operation. */
  public double cpuRatio() {
    return hdfs.cpuUs() / acacia.cpuUs();
  }
}
