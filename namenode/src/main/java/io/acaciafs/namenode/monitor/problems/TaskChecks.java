package io.acaciafs.namenode.monitor.problems;

import io.acaciafs.kv.run.FailureBoard;
import java.util.function.Consumer;

/** Whether what is tried again and again in this process fails. */
public final class TaskChecks implements ProblemCheck {
  /** One failure may be a pause of the store. */
  private static final int FEW = 2;

  private final FailureBoard board;

  public TaskChecks(FailureBoard board) {
    this.board = board;
  }

  @Override
  public void look(Consumer<Problem> found) {
    for (FailureBoard.Failing each : board.now(System.nanoTime())) {
      if (each.times() >= FEW) {
        found.accept(
            new Problem(
                ProblemKind.TASK_FAILS,
                each.what(),
                each.what() + ", " + each.times() + " times: " + each.cause()));
      }
    }
  }
}
