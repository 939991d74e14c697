package io.acaciafs.namenode.monitor;

import io.acaciafs.web.JsonPart.Answer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How the start went, as HDFS tells it at {@code /startupProgress}. Nothing is loaded here: the
 * store is opened where HDFS loads its image. Source of the form: StartupProgressServlet of HDFS
 * 3.5.
 */
public final class StartupPage {
  private static final int OK = 200;

  private final Watched watched;

  public StartupPage(Watched watched) {
    this.watched = watched;
  }

  /** As of now. */
  public Answer read() {
    boolean isSafe = !watched.blocks().safeMode().isStartup();
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("elapsedTime", watched.start().servesAfterMs());
    body.put("percentComplete", isSafe ? 1.0 : 0.75);
    body.put(
        "phases",
        List.of(
            phase("LoadingFsImage", "Loading fsimage", true, watched.start().openedMs()),
            phase("LoadingEdits", "Loading edits", true, 0),
            phase("SavingCheckpoint", "Saving checkpoint", true, 0),
            phase("SafeMode", "Safe mode", isSafe, 0)));
    return new Answer(OK, body);
  }

  private static Map<String, Object> phase(
      String name, String description, boolean isDone, long elapsedMs) {
    Map<String, Object> phase = new LinkedHashMap<>();
    phase.put("name", name);
    phase.put("desc", description);
    phase.put("status", isDone ? "COMPLETE" : "RUNNING");
    phase.put("percentComplete", isDone ? 1.0 : 0.0);
    phase.put("elapsedTime", elapsedMs);
    phase.put("steps", List.of());
    return phase;
  }
}
