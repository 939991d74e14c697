package io.acaciafs.namenode.monitor.problems;

import io.acaciafs.kv.engine.ReplicaStatus;
import io.acaciafs.namenode.monitor.replication.ReplicationHealth;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Whether several NameNodes of which one leads are all at work. */
public final class ReplicationChecks implements ProblemCheck {
  private final Supplier<ReplicaStatus> status;

  public ReplicationChecks(Supplier<ReplicaStatus> status) {
    this.status = status;
  }

  @Override
  public void look(Consumer<Problem> found) {
    ReplicaStatus now = status.get();
    String problem = ReplicationHealth.problem(now);
    if (problem != null) {
      found.accept(new Problem(ProblemKind.NO_LEADER, problem));
    }
    for (ReplicaStatus.Follower follower : now.followers()) {
      String warning = ReplicationHealth.warning(follower);
      if (warning != null) {
        found.accept(
            new Problem(
                follower.silentMs() > ReplicationHealth.LONGEST_SILENCE_MS
                    ? ProblemKind.FOLLOWER_SILENT
                    : ProblemKind.FOLLOWER_BEHIND,
                follower.name(),
                warning));
      }
    }
    String lag = now.leads() ? null : ReplicationHealth.lag(now);
    if (lag != null) {
      found.accept(new Problem(ProblemKind.FOLLOWER_BEHIND, now.self(), lag));
    }
  }
}
