package io.acaciafs.kv.raft;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/**
 * Ratis's settings. docs/internals/raft.md says why each is what it is.
 *
 * <p>Source: Ratis 3.3.0, {@code RaftServerConfigKeys}.
 */
final class RatisProperties {
  private static final SizeInBytes SEGMENT = SizeInBytes.valueOf("32MB");

  /** More than an entry, and than what is sent in one message. */
  private static final SizeInBytes MESSAGE = SizeInBytes.valueOf("4MB");

  /**
   * Filled with zeros before a new leader's first entry, so it is part of each change of leader.
   */
  private static final SizeInBytes PREALLOCATED = SizeInBytes.valueOf("512KB");

  private static final SizeInBytes WRITE_BUFFER = SizeInBytes.valueOf("8MB");
  private static final int PENDING_ENTRIES = 4096;

  /** Of a store that takes the largest commits at once. */
  private static final SizeInBytes PENDING_BYTES = SizeInBytes.valueOf("512MB");

  /** A follower that is further behind gets a copy of the store instead. */
  private static final long ENTRIES_KEPT_FOR_FOLLOWERS = 100_000;

  /** Whatever a member's absence lasts: with Ratis's own it is asked each 5 s in the end. */
  private static final String RETRIES = "1ms,10, 200ms,2000000000";

  private RatisProperties() {}

  static RaftProperties of(RaftOptions options) {
    RaftProperties properties = new RaftProperties();
    RaftServerConfigKeys.setStorageDir(properties, List.of(options.logFolder().toFile()));
    log(properties);
    elections(properties, options);
    snapshots(properties);
    RaftServerConfigKeys.Write.setElementLimit(properties, PENDING_ENTRIES);
    RaftServerConfigKeys.Write.setByteLimit(properties, PENDING_BYTES);
    RaftServerConfigKeys.RetryCache.setExpiryTime(properties, seconds(1));
    return properties;
  }

  private static void log(RaftProperties properties) {
    RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SEGMENT);
    RaftServerConfigKeys.Log.setPreallocatedSize(properties, PREALLOCATED);
    RaftServerConfigKeys.Log.setWriteBufferSize(properties, WRITE_BUFFER);
    RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, MESSAGE);
    RaftServerConfigKeys.Log.Appender.setRetryPolicy(properties, RETRIES);
    RaftServerConfigKeys.Log.setSegmentCacheSizeMax(properties, SizeInBytes.valueOf("64MB"));
    RaftServerConfigKeys.Log.setSegmentCacheNumMax(properties, 2);
    // else each movement of the commit index costs an entry, and a sync
    RaftServerConfigKeys.Log.setLogMetadataEnabled(properties, false);
    // a damaged log is never cut off: what was acknowledged may be behind
    RaftServerConfigKeys.Log.setCorruptionPolicy(
        properties, RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION);
    // else a dead follower keeps the log growing
    RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
    RaftServerConfigKeys.Log.setPurgePreservationLogNum(properties, ENTRIES_KEPT_FOR_FOLLOWERS);
  }

  private static void elections(RaftProperties properties, RaftOptions options) {
    TimeDuration min = ms(options.electionTimeout().minMs());
    TimeDuration max = ms(options.electionTimeout().maxMs());
    RaftServerConfigKeys.Rpc.setTimeoutMin(properties, min);
    RaftServerConfigKeys.Rpc.setTimeoutMax(properties, max);
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(properties, min);
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(properties, max);
    RaftServerConfigKeys.LeaderElection.setPreVote(properties, true); // the lease rests on it
    // with its 10 s a leader that stepped down could keep the group without one
    RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(properties, seconds(1));
    RaftServerConfigKeys.Read.setLeaderLeaseEnabled(properties, false); // the store has its own
  }

  private static void snapshots(RaftProperties properties) {
    RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, false);
    RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(properties, false);
    RaftServerConfigKeys.Log.Appender.setInstallSnapshotEnabled(properties, false);
  }

  private static TimeDuration ms(long ms) {
    return TimeDuration.valueOf(ms, TimeUnit.MILLISECONDS);
  }

  private static TimeDuration seconds(long seconds) {
    return TimeDuration.valueOf(seconds, TimeUnit.SECONDS);
  }
}
