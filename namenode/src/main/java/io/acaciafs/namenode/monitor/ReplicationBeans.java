package io.acaciafs.namenode.monitor;

import io.acaciafs.kv.engine.ReplicaStatus;
import io.acaciafs.kv.engine.ReplicaStatus.LeaderChange;
import io.acaciafs.web.Bean;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.security.UserGroupInformation;

/** What one of several NameNodes of which one leads tells of its part. */
public final class ReplicationBeans {
  private ReplicationBeans() {}

  /** Whether it leads or stands by. */
  public static List<Bean> always(Supplier<ReplicaStatus> status) {
    return List.of(Bean.of("Replication", () -> replication(status.get())));
  }

  private static Map<String, Object> replication(ReplicaStatus status) {
    Map<String, Object> bean = new LinkedHashMap<>();
    bean.put("Member", status.self());
    bean.put("Leads", status.leads());
    bean.put("Leader", status.leader());
    bean.put("Term", status.term());
    bean.put("AppliedBatch", status.position());
    bean.put("EntriesBehind", status.applied().entriesBehind());
    bean.put("LeaderSilentMs", status.leaders().silentMs());
    bean.put("LeaderChanges", status.leaders().changes());
    LeaderChange last = status.leaders().last();
    if (last != null) {
      bean.put("LastFailoverTime", last.atMs());
      bean.put("LastFailoverFrom", last.from());
      bean.put("LastFailoverTo", last.to());
      bean.put("LastFailoverReason", last.why());
    }
    Map<String, Object> followers = new LinkedHashMap<>();
    for (ReplicaStatus.Follower follower : status.followers()) {
      followers.put(
          follower.name(),
          Map.of("EntriesBehind", follower.entriesBehind(), "SilentMs", follower.silentMs()));
    }
    bean.put("Followers", followers);
    return bean;
  }

  /** While it stands by: Hadoop's beans, with what is known then. */
  public static List<Bean> standingBy(String hostAndPort) {
    return List.of(
        Bean.of(
            "NameNodeStatus",
            () ->
                Map.of(
                    "NNRole",
                    "NameNode",
                    "State",
                    "standby",
                    "HostAndPort",
                    hostAndPort,
                    "SecurityEnabled",
                    UserGroupInformation.isSecurityEnabled())),
        Bean.of(
            "NameNode",
            () -> Map.of("tag.Context", "dfs", "NameNodeState", HAServiceState.STANDBY.ordinal())),
        Bean.of("JvmMetrics", JvmFigures::read));
  }
}
