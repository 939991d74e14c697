package io.acaciafs.namespace.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.UnavailableException;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.namespace.lease.DirectoryLeases;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What a run may do after its client was asked to repeat the call. */
class LeasedExecutionTest {
  private static final long ANSWER_MS = 10;

  private final MemoryStore store = new MemoryStore();
  private final LeasedExecution execution =
      new LeasedExecution(new DirectoryLeases(() -> true), null, store, ANSWER_MS);
  private final AtomicReference<LeasedExecution.Run> run = new AtomicReference<>();

  /** Else a delete that was answered with "there is nothing" removes what came later. */
  @Test
  void aRunThatNobodyAwaitsBeginsNoAttemptAndNoCommit() {
    CompletableFuture<Void> answer = execution.write(this::begins);
    run.get().begin(store.begin());
    assertThat(answer)
        .failsWithin(1, TimeUnit.MINUTES)
        .withThrowableThat()
        .havingRootCause()
        .isInstanceOf(UnavailableException.class)
        .withMessageEndingWith("may do it still");
    assertThatThrownBy(() -> run.get().beforeCommit(Set.of(), store.begin()))
        .isInstanceOf(ConflictException.class);
    assertThatThrownBy(() -> run.get().begin(store.begin())).isInstanceOf(ConflictException.class);
  }

  @Test
  void oneThatIsAwaitedBeginsFurtherAttempts() {
    CompletableFuture<Void> answer =
        new LeasedExecution(new DirectoryLeases(() -> true), null, store).write(this::begins);
    run.get().begin(store.begin());
    run.get().begin(store.begin());
    run.get().beforeCommit(Set.of(), store.begin());
    assertThat(answer).isNotDone();
  }

  private CompletableFuture<Void> begins(LeasedExecution.Run begun) {
    run.set(begun);
    return new CompletableFuture<>();
  }
}
