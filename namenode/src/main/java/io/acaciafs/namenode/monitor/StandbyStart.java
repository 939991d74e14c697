package io.acaciafs.namenode.monitor;

import io.acaciafs.kv.engine.ReplicaStart;
import io.acaciafs.kv.engine.ReplicaStart.Counted;
import io.acaciafs.namenode.monitor.StartPhases.Status;
import io.acaciafs.web.JsonPart.Answer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * How the start of a NameNode goes that stands by, as HDFS tells it at {@code /startupProgress}:
 * its store takes the place of the image, opened or copied from the leader; the log that of the
 * edits; and until a leader is known it is as in safe mode.
 */
public final class StandbyStart {
  private final Supplier<ReplicaStart> start;
  private final long openedMs;
  private final long startedMs;

  /**
   * @param startedMs when the process began, milliseconds since 1970
   * @param openedMs how long it took from then until the store was open
   */
  public StandbyStart(Supplier<ReplicaStart> start, long startedMs, long openedMs) {
    this.start = start;
    this.startedMs = startedMs;
    this.openedMs = openedMs;
  }

  /** As of now. */
  public Answer read() {
    ReplicaStart now = start.get();
    StartPhases phases = new StartPhases();
    switch (now.step()) {
      case COPIES_STORE ->
          phases
              .running(
                  "LoadingFsImage",
                  openedMs + now.doneMs(),
                  "CopyingStore",
                  "Copying the store from the leader, bytes",
                  now.copy())
              .add("LoadingEdits", Status.PENDING, 0);
      case READS_LOG ->
          phases
              .add("LoadingFsImage", Status.COMPLETE, openedMs)
              .running(
                  "LoadingEdits",
                  now.logReadMs(),
                  "ReadingLog",
                  "Reading the log, entries",
                  now.log());
      case AWAITS_LEADER, DONE ->
          phases
              .add("LoadingFsImage", Status.COMPLETE, openedMs)
              .add("LoadingEdits", Status.COMPLETE, now.logReadMs());
    }
    phases.add("SavingCheckpoint", Status.COMPLETE, 0);
    long awaitedMs = Math.max(0, now.doneMs() - now.logReadMs());
    switch (now.step()) {
      case AWAITS_LEADER ->
          phases.running(
              "SafeMode", awaitedMs, "AwaitingLeader", "Waiting for a leader", Counted.NOTHING);
      case DONE -> phases.add("SafeMode", Status.COMPLETE, awaitedMs);
      default -> phases.add("SafeMode", Status.PENDING, 0);
    }
    return Answer.ok(phases.answer(openedMs + now.doneMs()));
  }

  /** For the page. */
  Map<String, Object> shown() {
    ReplicaStart now = start.get();
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("startedMs", startedMs);
    shown.put("storeOpenedAfterMs", openedMs);
    shown.put("step", now.step().name());
    shown.put("doneAfterMs", openedMs + now.doneMs());
    shown.put("entriesRead", now.log().done());
    shown.put("entries", now.log().all());
    shown.put("copiedBytes", now.copy().done());
    shown.put("copyBytes", now.copy().all());
    return shown;
  }
}
