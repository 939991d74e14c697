package io.acaciafs.namenode.monitor;

import io.acaciafs.namenode.monitor.StartPhases.Status;
import io.acaciafs.web.JsonPart.Answer;

/**
 * How the start went, as HDFS tells it at {@code /startupProgress}. Nothing is loaded here: the
 * store is opened where HDFS loads its image.
 */
public final class StartupPage {
  private final Watched watched;

  public StartupPage(Watched watched) {
    this.watched = watched;
  }

  /** As of now. */
  public Answer read() {
    boolean isSafe = !watched.blocks().safeMode().isStartup();
    StartPhases phases =
        new StartPhases()
            .add("LoadingFsImage", Status.COMPLETE, watched.start().openedMs())
            .add("LoadingEdits", Status.COMPLETE, 0)
            .add("SavingCheckpoint", Status.COMPLETE, 0)
            .add("SafeMode", isSafe ? Status.COMPLETE : Status.RUNNING, 0);
    return Answer.ok(phases.answer(watched.start().servesAfterMs()));
  }
}
