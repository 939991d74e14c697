package io.acaciafs.model;

import java.util.Map;

/**
 * What a site has and does. Changed by nothing.
 *
 * @param blocksPerFile on average; empty files have none
 * @param replication replicas of a block
 * @param utilisation the part of its processors that a server is to use on average, at most
 */
public record Site(
    String name,
    Engine engine,
    double files,
    double directories,
    double blocksPerFile,
    double replication,
    Calls calls,
    Clients clients,
    DataNodes dataNodes,
    Machine machine,
    double utilisation) {

  /** What holds the namespace. */
  public enum Engine {
    /** The smallest that suffices. */
    AUTO,
    ROCKSDB,
    RAFT,
    HBASE
  }

  /**
   * @param perSecond all calls of clients together
   * @param mix parts of them by the name of the call; the sum is 1
   * @param directoryChanges part of all calls that changes a directory's own row: rename, delete,
   *     rights or times of a directory
   * @param coldReads part of the reads that ask for what nobody has asked for lately, so that an
   *     embedded engine reads its disk
   */
  public record Calls(
      double perSecond, Map<String, Double> mix, double directoryChanges, double coldReads) {
    double perSecond(String call) {
      return perSecond * mix.getOrDefault(call, 0.0);
    }
  }

  /**
   * @param connected that have a connection to a NameNode
   * @param writing that have files open for writing, and so renew leases
   */
  public record Clients(double connected, double writing) {}

  /**
   * @param count of DataNodes
   * @param storages of each
   * @param nameNodesEach NameNodes of a large cluster that each reports to
   */
  public record DataNodes(
      double count,
      double storages,
      int nameNodesEach,
      double heartbeatSeconds,
      double fullReportHours,
      int fullReportsAtOnce) {}

  /** One server; all are alike. */
  public record Machine(
      int cores, double memoryBytes, double diskBytes, double networkBytesPerSecond) {}

  /** Files, blocks and directories, as HDFS counts them. */
  public double objects() {
    return files + blocks() + directories;
  }

  double blocks() {
    return files * blocksPerFile;
  }

  double replicas() {
    return blocks() * replication;
  }

  /** Replicas that DataNodes report as written or removed. */
  double reportedPerSecond() {
    return written() + removed();
  }

  private double written() {
    return Math.max(calls.perSecond("create") * blocksPerFile, calls.perSecond("addBlock"))
        * replication;
  }

  /** Replicas that go with the files that are removed. */
  double removed() {
    return calls.perSecond("delete") * blocksPerFile * replication;
  }

  /** The same site with so many times as many of everything that grows. */
  public Site times(double factor) {
    return new Site(
        name,
        engine,
        files * factor,
        directories * factor,
        blocksPerFile,
        replication,
        new Calls(calls.perSecond * factor, calls.mix, calls.directoryChanges, calls.coldReads),
        new Clients(clients.connected * factor, clients.writing * factor),
        new DataNodes(
            Math.max(replication, dataNodes.count * factor),
            dataNodes.storages,
            dataNodes.nameNodesEach,
            dataNodes.heartbeatSeconds,
            dataNodes.fullReportHours,
            dataNodes.fullReportsAtOnce),
        machine,
        utilisation);
  }
}
