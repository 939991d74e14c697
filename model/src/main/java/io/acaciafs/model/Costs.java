package io.acaciafs.model;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What was measured, each figure with its source. Calls on HBase were measured at one pair of a
 * NameNode and a region server with 1,024 calls in flight, in a region of 256 directories. Changed
 * by nothing.
 *
 * @param sources what each source is: command, date, conditions
 * @param hbase calls on HBase
 * @param rocksdb calls on one NameNode on RocksDB
 * @param raft calls on three NameNodes by Raft; a change costs what all three take together
 * @param embeddedDataNodes what DataNodes cost a NameNode on RocksDB
 * @param hbaseDataNodes what they cost NameNodes and region servers
 * @param figures all else
 */
public record Costs(
    Map<String, String> sources,
    CallCosts hbase,
    CallCosts rocksdb,
    CallCosts raft,
    DataNodeCosts embeddedDataNodes,
    DataNodeCosts hbaseDataNodes,
    Map<String, Value> figures) {

  /** A figure, and the source that it is from. */
  public record Value(double value, String source) {}

  /** Calls that were in flight when a pair was measured. */
  public static final double MEASURED_IN_FLIGHT = 1024;

  /** Directories that its calls were in. */
  public static final double MEASURED_DIRECTORIES = 256;

  /** In a request to HBase. */
  private static final int MOST_CALLS_A_REQUEST = 64;

  /** The calls that are known. */
  public Set<String> calls() {
    Set<String> calls = new TreeSet<>(hbase.names());
    calls.retainAll(rocksdb.names());
    calls.retainAll(raft.names());
    return calls;
  }

  /** One of {@link CostsReader#FIGURES}. */
  public double figure(String name) {
    Value value = figures.get(name);
    if (value == null) {
      throw new IllegalArgumentException("Not a figure: " + name);
    }
    return value.value();
  }

  /** What reads of a region server share. */
  public SharedRequests reads() {
    return new SharedRequests(figure("readRequestCpuUs"), 0, MOST_CALLS_A_REQUEST);
  }

  /** What changes of a region share. */
  public SharedRequests commits() {
    return new SharedRequests(
        figure("commitRequestCpuUs"), figure("counterRowCpuUs"), MOST_CALLS_A_REQUEST);
  }
}
