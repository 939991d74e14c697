package io.acaciafs.namenode.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.engine.ReplicaStatus;
import io.acaciafs.kv.engine.ReplicaStatus.Applied;
import io.acaciafs.kv.engine.ReplicaStatus.Leaders;
import io.acaciafs.namenode.monitor.DiskSpace;
import io.acaciafs.namenode.monitor.replication.ReplicationHealth;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HealthCheckFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandbyHealthTest {
  @TempDir private Path folder;
  private final Configuration conf = new Configuration(false);
  private String leader = "nn1";
  private long entriesBehind;

  private StandbyHealth health() {
    ReplicaStatus status =
        new ReplicaStatus(
            "nn2",
            false,
            leader,
            7,
            new Applied(40, entriesBehind),
            new Leaders(9_000, 0, null),
            List.of());
    return new StandbyHealth(
        new ReplicationHealth(() -> status), DiskSpace.of(conf, List.of(folder)));
  }

  @Test
  void itIsWellAndReadyWhileItFollowsALeader() {
    conf.setLong("dfs.namenode.resource.du.reserved", 1);
    entriesBehind = 10_000;
    assertThatCode(() -> health().check()).doesNotThrowAnyException();
    assertThat(health().obstacle()).isNull();
  }

  @Test
  void withoutALeaderItIsNeither() {
    leader = "";
    assertThatThrownBy(() -> health().check())
        .isInstanceOf(HealthCheckFailedException.class)
        .hasMessageContaining("No NameNode leads as far as this one knows")
        .hasMessageContaining("for 9000 ms");
    assertThat(health().obstacle()).contains("No NameNode leads as far as this one knows");
  }

  @Test
  void farBehindItIsWellAndNotReady() {
    entriesBehind = 10_001;
    assertThatCode(() -> health().check()).doesNotThrowAnyException();
    assertThat(health().obstacle()).isEqualTo("It lacks 10001 entries of the log");
  }

  @Test
  void aDiskWithTooLittleRoomIsAnIllness() {
    conf.set("dfs.namenode.resource.du.reserved", "7e");
    assertThatThrownBy(() -> health().check())
        .isInstanceOf(HealthCheckFailedException.class)
        .hasMessage("The NameNode has no resources available");
  }

  @Test
  void theSiteNamesFurtherFolders() {
    conf.set("dfs.namenode.resource.checked.volumes", folder.resolve("none").toUri().toString());
    assertThatThrownBy(() -> health().check())
        .hasMessage("The NameNode has no resources available");
    conf.set("dfs.namenode.resource.checked.volumes", folder.toUri().toString());
    assertThatCode(() -> health().check()).doesNotThrowAnyException();
  }
}
