package io.acaciafs.namenode.monitor.replication;

import io.acaciafs.kv.engine.ReplicaStatus;
import io.acaciafs.kv.engine.ReplicaStatus.Follower;
import io.acaciafs.kv.engine.ReplicaStatus.LeaderChange;
import java.util.LinkedHashMap;
import java.util.Map;

/** What answers in JSON say of several NameNodes of which one leads. */
public final class ReplicationAnswer {
  private ReplicationAnswer() {}

  /** What is not known is not there. */
  public static void addTo(Map<String, Object> body, ReplicaStatus status) {
    body.put("role", status.leads() ? "active" : "standby");
    body.put("member", status.self());
    if (!status.leader().isEmpty()) {
      body.put("leader", status.leader());
    }
    body.put("term", status.term());
    body.put("appliedBatch", status.position());
    if (status.leads()) {
      body.put("followers", status.followers().stream().map(ReplicationAnswer::of).toList());
    } else {
      body.put("entriesBehind", status.applied().entriesBehind());
      body.put("leaderSilentMs", status.leaders().silentMs());
    }
    body.put("leaderChanges", status.leaders().changes());
    LeaderChange last = status.leaders().last();
    if (last != null) {
      body.put("lastFailover", of(last));
    }
  }

  private static Map<String, Object> of(Follower follower) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("name", follower.name());
    answer.put("entriesBehind", follower.entriesBehind());
    answer.put("silentMs", follower.silentMs());
    return answer;
  }

  private static Map<String, Object> of(LeaderChange change) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("atMs", change.atMs());
    answer.put("from", change.from());
    answer.put("to", change.to());
    answer.put("why", change.why());
    return answer;
  }
}
