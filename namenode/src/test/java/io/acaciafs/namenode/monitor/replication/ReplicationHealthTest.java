package io.acaciafs.namenode.monitor.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.engine.ReplicaStatus;
import io.acaciafs.kv.engine.ReplicaStatus.Applied;
import io.acaciafs.kv.engine.ReplicaStatus.Follower;
import io.acaciafs.kv.engine.ReplicaStatus.LeaderChange;
import io.acaciafs.kv.engine.ReplicaStatus.Leaders;
import io.acaciafs.web.JsonPart.Answer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReplicationHealthTest {
  private static ReplicaStatus standby(String leader, Leaders leaders) {
    return new ReplicaStatus("nn2", false, leader, 7, new Applied(40, 3), leaders, List.of());
  }

  @Test
  void aStandbyIsWellWhileItKnowsTheLeader() {
    LeaderChange change = new LeaderChange(1_234, "nn3", "nn1", "nn3 was not heard for 700 ms");
    ReplicaStatus status = standby("nn1", new Leaders(120, 2, change));
    Answer answer = new ReplicationHealth(() -> status).ofStandby();
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body().toString())
        .isEqualTo(
            "{status=standby, role=standby, member=nn2, leader=nn1, term=7, appliedBatch=40,"
                + " entriesBehind=3, leaderSilentMs=120, leaderChanges=2, lastFailover={atMs=1234,"
                + " from=nn3, to=nn1, why=nn3 was not heard for 700 ms}}");
  }

  @Test
  void aStandbyWithoutALeaderSaysSince() {
    ReplicaStatus status = standby("", new Leaders(12_345, 0, null));
    Answer answer = new ReplicationHealth(() -> status).ofStandby();
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.body().get("status")).isEqualTo("failed");
    assertThat(answer.body().get("problem").toString())
        .contains("heard no leader for 12345 ms")
        .contains("more than half of the NameNodes");
    assertThat(answer.body()).doesNotContainKeys("leader", "lastFailover");
  }

  private static Map<String, Object> leader(Follower... followers) {
    ReplicaStatus status =
        new ReplicaStatus(
            "nn1", true, "nn1", 7, new Applied(43, 0), new Leaders(0, 0, null), List.of(followers));
    Map<String, Object> body = new LinkedHashMap<>();
    new ReplicationHealth(() -> status).addTo(body);
    return body;
  }

  @Test
  void theLeaderNamesItsFollowers() {
    assertThat(leader(new Follower("nn2", 10_000, 10_000), new Follower("nn3", 0, 5)).toString())
        .isEqualTo(
            "{role=active, member=nn1, leader=nn1, term=7, appliedBatch=43, followers=[{name=nn2,"
                + " entriesBehind=10000, silentMs=10000}, {name=nn3, entriesBehind=0, silentMs=5}],"
                + " leaderChanges=0, warnings=[]}");
  }

  @Test
  void theLeaderWarnsOfFollowersThatAreSilentOrFarBehind() {
    assertThat(leader(new Follower("nn2", 10_001, 5), new Follower("nn3", 20_000, 61_999)))
        .containsEntry(
            "warnings",
            List.of("nn2 lacks 10001 entries of the log", "nn3 has not answered for 61 s"));
  }
}
