package io.acaciafs.namenode.monitor.replication;

import io.acaciafs.kv.engine.ReplicaStatus;
import io.acaciafs.kv.engine.ReplicaStatus.Follower;
import io.acaciafs.kv.engine.ReplicaStatus.LeaderChange;
import io.acaciafs.web.MetricSink;
import io.acaciafs.web.MetricSource;
import java.util.function.Supplier;

/**
 * What {@code /metrics} tells of several NameNodes of which one leads, as one of them sees it;
 * docs/monitoring.md lists the names.
 */
public final class ReplicationMetrics implements MetricSource {
  private static final double MILLIS = 1e3;

  private final Supplier<ReplicaStatus> status;

  public ReplicationMetrics(Supplier<ReplicaStatus> status) {
    this.status = status;
  }

  @Override
  public void tell(MetricSink sink) {
    ReplicaStatus now = status.get();
    sink.gauge("acacia_ha_leads", "1 if this NameNode leads", now.leads() ? 1 : 0);
    sink.gauge(
        "acacia_ha_leader_known",
        "1 if this NameNode knows which one leads",
        now.leader().isEmpty() ? 0 : 1);
    sink.gauge(
        "acacia_ha_leader_silent_seconds",
        "Time since this NameNode last heard a leader; 0 where it leads",
        now.leaders().silentMs() / MILLIS);
    sink.gauge("acacia_ha_term", "Grows with each leader", now.term());
    sink.gauge(
        "acacia_ha_applied_batch",
        "The last batch of writes that is in this NameNode's store",
        now.position());
    sink.gauge(
        "acacia_ha_entries_unapplied",
        "Committed entries of the log that are not in this NameNode's store yet",
        now.applied().entriesBehind());
    sink.counter(
        "acacia_ha_leader_changes",
        "Changes of the leader since the start of this NameNode, as it knows them",
        now.leaders().changes());
    LeaderChange last = now.leaders().last();
    if (last != null) {
      sink.gauge(
          "acacia_ha_last_failover_timestamp_seconds",
          "When the leader changed last, in seconds since 1970",
          last.atMs() / MILLIS);
    }
    for (Follower follower : now.followers()) {
      sink.gauge(
          "acacia_ha_follower_entries_behind",
          "Entries of the leader's log that a follower has not confirmed",
          follower.entriesBehind(),
          "follower",
          follower.name());
      sink.gauge(
          "acacia_ha_follower_silent_seconds",
          "Time since a follower's last answer to the leader",
          follower.silentMs() / MILLIS,
          "follower",
          follower.name());
    }
  }
}
