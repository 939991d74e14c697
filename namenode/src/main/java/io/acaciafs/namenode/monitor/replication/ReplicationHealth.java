package io.acaciafs.namenode.monitor.replication;

import io.acaciafs.kv.engine.ReplicaStatus;
import io.acaciafs.kv.engine.ReplicaStatus.Follower;
import io.acaciafs.web.JsonPart.Answer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Whether several NameNodes of which one leads do their work, as one of them sees it. */
public final class ReplicationHealth {
  /** After so long it is more than a pause. */
  public static final long LONGEST_SILENCE_MS = 10_000;

  /** Of the log, whose last 100,000 are kept for followers. */
  static final long MOST_ENTRIES_BEHIND = 10_000;

  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  private final Supplier<ReplicaStatus> status;

  public ReplicationHealth(Supplier<ReplicaStatus> status) {
    this.status = status;
  }

  /** Of a NameNode that stands by: 200 while it knows which one leads, else 503. */
  public Answer ofStandby() {
    ReplicaStatus now = status.get();
    String problem = problem(now);
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("status", problem == null ? "standby" : "failed");
    if (problem != null) {
      body.put("problem", problem);
    }
    ReplicationAnswer.addTo(body, now);
    return new Answer(problem == null ? OK : UNAVAILABLE, body);
  }

  /** Why a NameNode has no place among the others now, in words for people; null: it has one. */
  public @Nullable String problem() {
    return problem(status.get());
  }

  /** The same for a status. */
  public static @Nullable String problem(ReplicaStatus now) {
    return now.leader().isEmpty()
        ? String.format(
            Locale.ROOT,
            "No NameNode leads as far as this one knows, which has heard no leader for %d ms. One"
                + " leads when more than half of the NameNodes are up and reach each other",
            now.leaders().silentMs())
        : null;
  }

  /** How much a NameNode lacks before it could lead soon, in words for people; null: not much. */
  public @Nullable String lag() {
    return lag(status.get());
  }

  /** The same for a status. */
  public static @Nullable String lag(ReplicaStatus now) {
    long entriesBehind = now.applied().entriesBehind();
    return entriesBehind > MOST_ENTRIES_BEHIND
        ? String.format(Locale.ROOT, "It lacks %d entries of the log", entriesBehind)
        : null;
  }

  /** What the one that leads adds to its own health, which does not depend on the others. */
  public void addTo(Map<String, Object> body) {
    ReplicaStatus now = status.get();
    ReplicationAnswer.addTo(body, now);
    body.put("warnings", warnings(now));
  }

  private static List<String> warnings(ReplicaStatus now) {
    List<String> warnings = new ArrayList<>();
    for (Follower follower : now.followers()) {
      String warning = warning(follower);
      if (warning != null) {
        warnings.add(warning);
      }
    }
    return warnings;
  }

  /**
   * What is wrong with a follower, in words for people; null: nothing. What a silent one lacks is
   * not known: it may have it, and not have said so to this leader.
   */
  public static @Nullable String warning(Follower follower) {
    if (follower.silentMs() > LONGEST_SILENCE_MS) {
      return String.format(
          Locale.ROOT,
          "%s has not answered for %d s",
          follower.name(),
          follower.silentMs() / 1_000);
    }
    return follower.entriesBehind() > MOST_ENTRIES_BEHIND
        ? String.format(
            Locale.ROOT,
            "%s lacks %d entries of the log",
            follower.name(),
            follower.entriesBehind())
        : null;
  }
}
