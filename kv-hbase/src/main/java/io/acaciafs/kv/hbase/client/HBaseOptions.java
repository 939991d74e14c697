package io.acaciafs.kv.hbase.client;

/**
 * How a store reaches its cluster.
 *
 * @param zooKeeper host:port of the cluster's ZooKeeper, several hosts as host1,host2:port
 * @param table name of the HBase table that holds everything
 * @param owner whose table it is: written when it is formatted, and compared when it is opened;
 *     null for a table of nobody, or not to compare
 * @param rpcTimeoutMs how long one request may take
 * @param operationTimeoutMs how long a read or a commit is tried before it fails, moves and
 *     restarts of region servers included
 * @param startTimeoutMs how long to wait for a cluster that does not answer when a store opens
 * @param leaseMs after how long a transaction under way may be ended by whoever it is in the way
 * @param commitThreads threads for commits that need more than one request
 * @param commitsUnderWay how many commits there are at a time; later ones wait
 */
public record HBaseOptions(
    String zooKeeper,
    String table,
    String owner,
    int rpcTimeoutMs,
    int operationTimeoutMs,
    int startTimeoutMs,
    int leaseMs,
    int commitThreads,
    int commitsUnderWay) {

  public HBaseOptions {
    if (zooKeeper == null || zooKeeper.lastIndexOf(':') < 1) {
      throw new IllegalArgumentException("Not host:port of a ZooKeeper: " + zooKeeper);
    }
  }

  /** What suits a cluster nearby. */
  public static HBaseOptions of(String zooKeeper) {
    return new HBaseOptions(zooKeeper, "acacia", null, 4_000, 30_000, 120_000, 3_000, 64, 1_024);
  }

  public HBaseOptions withTable(String name) {
    return new HBaseOptions(
        zooKeeper,
        name,
        owner,
        rpcTimeoutMs,
        operationTimeoutMs,
        startTimeoutMs,
        leaseMs,
        commitThreads,
        commitsUnderWay);
  }

  public HBaseOptions withTimeouts(int rpcMs, int operationMs, int startMs, int leaseMillis) {
    return new HBaseOptions(
        zooKeeper,
        table,
        owner,
        rpcMs,
        operationMs,
        startMs,
        leaseMillis,
        commitThreads,
        commitsUnderWay);
  }

  public HBaseOptions withOwner(String whose) {
    return new HBaseOptions(
        zooKeeper,
        table,
        whose,
        rpcTimeoutMs,
        operationTimeoutMs,
        startTimeoutMs,
        leaseMs,
        commitThreads,
        commitsUnderWay);
  }

  public HBaseOptions withCommitThreads(int threads) {
    return new HBaseOptions(
        zooKeeper,
        table,
        owner,
        rpcTimeoutMs,
        operationTimeoutMs,
        startTimeoutMs,
        leaseMs,
        threads,
        commitsUnderWay);
  }
}
