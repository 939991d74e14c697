package io.acaciafs.kv.raft;

import io.acaciafs.kv.check.CheckListener;
import io.acaciafs.kv.check.Finding;
import io.acaciafs.kv.check.Pace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What a comparison of the members' stores said. */
final class Compared implements CheckListener {
  private static final int MOST_ATTEMPTS = 10;

  final List<Finding> findings = new ArrayList<>();
  final List<String> notCompared = new ArrayList<>();
  long rows;

  static Compared by(Trio.Member leader) throws IOException, InterruptedException {
    return by(leader, Pace.WITHOUT_REST);
  }

  /** Once more with the next leader where leadership was lost meanwhile. */
  static Compared byLeader(Trio trio) throws IOException, InterruptedException {
    for (int i = 1; ; i++) {
      try {
        return by(trio.member(trio.awaitLeader()));
      } catch (IOException e) {
        if (i == MOST_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  static Compared by(Trio.Member leader, Pace pace) throws IOException, InterruptedException {
    Compared compared = new Compared();
    compared.rows = leader.raft.compare(pace, compared);
    return compared;
  }

  @Override
  public void found(Finding finding, Outcome outcome) {
    findings.add(finding);
  }

  @Override
  public void notChecked(String what) {
    notCompared.add(what);
  }

  @Override
  public void progress(String step, long rows, long expected) {}
}
