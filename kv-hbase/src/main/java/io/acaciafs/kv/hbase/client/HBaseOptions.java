package io.acaciafs.kv.hbase.client;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a store reaches its cluster.
 *
 * @param zooKeeper host:port of the cluster's ZooKeeper, several hosts as host1,host2:port
 * @param table name of the HBase table that holds everything
 * @param owner whose table it is: written when it is formatted, and compared when it is opened;
 *     null for a table without an owner, or not to compare
 * @param coprocessor where region servers find Acacia's jar when a table is made: a path as they
 *     see it, {@link #COPROCESSOR_ON_CLASS_PATH}, or {@link #NO_COPROCESSOR}
 * @param loadFolder the URL of the folder through which rows are loaded in bulk; null: none is
 * @param clientSettings of HBase's client, by HBase's names; they come before an hbase-site.xml
 */
public record HBaseOptions(
    String zooKeeper,
    String table,
    @Nullable String owner,
    String coprocessor,
    @Nullable String loadFolder,
    Timeouts timeouts,
    CommitLimits commits,
    Map<String, String> clientSettings) {

  /** The table has no coprocessor; all is done by what stock HBase has. */
  public static final String NO_COPROCESSOR = "none";

  /** Region servers have the jar on their class path. */
  public static final String COPROCESSOR_ON_CLASS_PATH = "classpath";

  /**
   * Time limits.
   *
   * @param rpcMs of one request
   * @param operationMs for how long a read or a commit is tried before it fails, moves and restarts
   *     of region servers included
   * @param startMs how long to wait for a cluster that does not answer when a store opens
   * @param leaseMs after how long other transactions may end a transaction that is under way
   */
  public record Timeouts(int rpcMs, int operationMs, int startMs, int leaseMs) {}

  /**
   * Limits of commits.
   *
   * @param threads for commits that need more than one request
   * @param inFlight commits at a time; later ones wait
   */
  public record CommitLimits(int threads, int inFlight) {}

  public HBaseOptions {
    if (zooKeeper == null || zooKeeper.lastIndexOf(':') < 1) {
      throw new IllegalArgumentException("Not host:port of a ZooKeeper: " + zooKeeper);
    }
    clientSettings = Map.copyOf(clientSettings);
  }

  /** What suits a cluster nearby. */
  public static HBaseOptions of(String zooKeeper) {
    return new HBaseOptions(
        zooKeeper,
        "acacia",
        null,
        NO_COPROCESSOR,
        null,
        new Timeouts(4_000, 30_000, 120_000, 3_000),
        new CommitLimits(64, 1_024),
        Map.of());
  }

  public int rpcTimeoutMs() {
    return timeouts.rpcMs;
  }

  public int operationTimeoutMs() {
    return timeouts.operationMs;
  }

  public int startTimeoutMs() {
    return timeouts.startMs;
  }

  public int leaseMs() {
    return timeouts.leaseMs;
  }

  public HBaseOptions withTable(String name) {
    return new HBaseOptions(
        zooKeeper, name, owner, coprocessor, loadFolder, timeouts, commits, clientSettings);
  }

  public HBaseOptions withTimeouts(int rpcMs, int operationMs, int startMs, int leaseMillis) {
    return new HBaseOptions(
        zooKeeper,
        table,
        owner,
        coprocessor,
        loadFolder,
        new Timeouts(rpcMs, operationMs, startMs, leaseMillis),
        commits,
        clientSettings);
  }

  public HBaseOptions withOwner(@Nullable String whose) {
    return new HBaseOptions(
        zooKeeper, table, whose, coprocessor, loadFolder, timeouts, commits, clientSettings);
  }

  public HBaseOptions withCoprocessor(String where) {
    return new HBaseOptions(
        zooKeeper, table, owner, where, loadFolder, timeouts, commits, clientSettings);
  }

  public HBaseOptions withCommitThreads(int threads) {
    return new HBaseOptions(
        zooKeeper,
        table,
        owner,
        coprocessor,
        loadFolder,
        timeouts,
        new CommitLimits(threads, commits.inFlight),
        clientSettings);
  }

  public HBaseOptions withClientSettings(Map<String, String> settings) {
    return new HBaseOptions(
        zooKeeper, table, owner, coprocessor, loadFolder, timeouts, commits, settings);
  }

  public HBaseOptions withLoadFolder(@Nullable String folder) {
    return new HBaseOptions(
        zooKeeper, table, owner, coprocessor, folder, timeouts, commits, clientSettings);
  }
}
