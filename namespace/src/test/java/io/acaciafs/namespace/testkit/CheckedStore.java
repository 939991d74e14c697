package io.acaciafs.namespace.testkit;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.check.CheckListener;
import io.acaciafs.kv.check.CheckRun;
import io.acaciafs.kv.check.Finding;
import io.acaciafs.kv.check.Pace;
import io.acaciafs.namespace.check.NamespaceCheck;
import io.acaciafs.namespace.settings.NamespaceSettings;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** What one check of a store told. */
public final class CheckedStore implements CheckListener {
  private final List<Finding> findings = new ArrayList<>();
  private final List<Outcome> outcomes = new ArrayList<>();
  private final List<String> notChecked = new ArrayList<>();

  private CheckedStore() {}

  public static CheckedStore of(
      Store store, NamespaceSettings settings, Clock clock, boolean repairs) {
    CheckedStore checked = new CheckedStore();
    CheckRun run = new CheckRun(store, Pace.WITHOUT_REST, 1, repairs, checked);
    try {
      new NamespaceCheck(run, FakeBlocks.ofStore(), settings.features().storagePolicies(), clock)
          .run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
    return checked;
  }

  @Override
  public void found(Finding finding, Outcome outcome) {
    findings.add(finding);
    outcomes.add(outcome);
  }

  @Override
  public void notChecked(String what) {
    notChecked.add(what);
  }

  @Override
  public void progress(String step, long rows, long expected) {}

  public List<String> texts(boolean staleIndexRowsToo) {
    return findings.stream()
        .filter(finding -> staleIndexRowsToo || !finding.isStale())
        .map(finding -> finding.kind() + ' ' + finding.subject() + ": " + finding.text())
        .toList();
  }

  public List<String> kinds() {
    return findings.stream().map(Finding::kind).toList();
  }

  public List<Outcome> outcomes() {
    return outcomes;
  }

  public List<String> notChecked() {
    return notChecked;
  }
}
