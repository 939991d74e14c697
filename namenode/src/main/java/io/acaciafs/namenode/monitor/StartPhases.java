package io.acaciafs.namenode.monitor;

import io.acaciafs.kv.engine.ReplicaStart.Counted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * HDFS's form of what a NameNode does at its start. Source: StartupProgressServlet, Phase and
 * Status of HDFS 3.5.
 */
final class StartPhases {
  private final List<Map<String, Object>> phases = new ArrayList<>();
  private double completed;

  /** How far a phase is. */
  enum Status {
    PENDING,
    RUNNING,
    COMPLETE
  }

  /**
   * The next phase.
   *
   * @param name HDFS's
   * @param elapsedMs that it took until now
   */
  StartPhases add(String name, Status status, long elapsedMs) {
    return add(name, status, elapsedMs, List.of(), 0);
  }

  /**
   * The next phase, of which one step is under way.
   *
   * @param step its name, without blanks
   * @param description of the step, for people
   * @param counted what the step has done
   */
  StartPhases running(
      String name, long elapsedMs, String step, String description, Counted counted) {
    double part = counted.all() == 0 ? 0 : (double) counted.done() / counted.all();
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("name", step);
    shown.put("desc", description);
    shown.put("count", counted.done());
    shown.put("total", counted.all());
    shown.put("percentComplete", part);
    shown.put("elapsedTime", elapsedMs);
    return add(name, Status.RUNNING, elapsedMs, List.of(shown), part);
  }

  private StartPhases add(
      String name, Status status, long elapsedMs, List<Map<String, Object>> steps, double part) {
    Map<String, Object> phase = new LinkedHashMap<>();
    phase.put("name", name);
    phase.put("desc", description(name));
    phase.put("status", status.name());
    phase.put("percentComplete", status == Status.COMPLETE ? 1.0 : part);
    phase.put("elapsedTime", elapsedMs);
    phase.put("steps", steps);
    phases.add(phase);
    completed += status == Status.COMPLETE ? 1 : part;
    return this;
  }

  private static String description(String name) {
    return switch (name) {
      case "LoadingFsImage" -> "Loading fsimage";
      case "LoadingEdits" -> "Loading edits";
      case "SavingCheckpoint" -> "Saving checkpoint";
      default -> "Safe mode";
    };
  }

  /**
   * The answer.
   *
   * @param elapsedMs of all phases
   */
  Map<String, Object> answer(long elapsedMs) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("elapsedTime", elapsedMs);
    body.put("percentComplete", completed / phases.size());
    body.put("phases", phases);
    return body;
  }
}
