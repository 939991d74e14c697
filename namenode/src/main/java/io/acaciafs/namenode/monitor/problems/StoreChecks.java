package io.acaciafs.namenode.monitor.problems;

import io.acaciafs.kv.StoreException;
import io.acaciafs.namenode.monitor.StoreSight;
import java.util.function.Consumer;

/** Whether the store reads and writes. Reads one row. */
public final class StoreChecks implements ProblemCheck {
  private final StoreSight store;

  public StoreChecks(StoreSight store) {
    this.store = store;
  }

  @Override
  public void look(Consumer<Problem> found) {
    StoreException failure = store.writeFailure();
    if (failure != null) {
      found.accept(
          new Problem(ProblemKind.STORE_NOT_WRITABLE, String.valueOf(failure.getMessage())));
    }
    String problem = store.readProblem();
    if (problem != null) {
      found.accept(new Problem(ProblemKind.STORE_SILENT, problem));
    }
  }
}
