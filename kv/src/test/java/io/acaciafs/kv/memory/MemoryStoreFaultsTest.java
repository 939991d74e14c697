package io.acaciafs.kv.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What faults do to commits, and what a crash leaves. */
class MemoryStoreFaultsTest {
  private static final Table TABLE = new Table("rows", 1);
  private static final byte[] VALUE = {1};

  private final Faults faults = Faults.onDemand();
  private final MemoryStore store = new MemoryStore(faults);

  @Test
  void aConflictOutOfNothingWritesNothingButIndexRows() {
    faults.plan(Fault.CONFLICT);
    Transaction transaction = store.begin();
    transaction.put(key(1), VALUE);
    transaction.putIndex(key(2), VALUE);

    assertThat(transaction.commit()).isCompletedExceptionally();
    assertThat(store.get(key(1))).isNull();
    assertThat(store.get(key(2))).isEqualTo(VALUE);
    assertThat(put(store, key(1))).isCompleted();
  }

  @Test
  void aDelayedCommitIsVisibleAndWaitsToBeDurable() {
    faults.plan(Fault.DELAY, Fault.DELAY);
    CompletableFuture<Void> first = put(store, key(1));
    CompletableFuture<Void> second = put(store, key(2));

    assertThat(store.get(key(1))).isEqualTo(VALUE);
    assertThat(first).isNotDone();
    store.makeDurable();
    assertThat(first).isCompleted();
    assertThat(second).isCompleted();
  }

  @Test
  void aLaterCommitMakesADelayedOneDurable() {
    faults.plan(Fault.DELAY);
    CompletableFuture<Void> delayed = put(store, key(1));
    put(store, key(2));
    assertThat(delayed).isCompleted();
    assertThat(store.crash().get(key(1))).isEqualTo(VALUE);
  }

  @Test
  void aLostReplyHidesACommitThatTookEffect() {
    faults.plan(Fault.LOST_REPLY);
    assertFails(put(store, key(1)), StoreException.class);
    assertThat(store.get(key(1))).isEqualTo(VALUE);
    assertThat(store.crash().get(key(1))).isEqualTo(VALUE);
  }

  @Test
  void aCrashBeforeDurabilityLosesTheWholeCommitAndEarlierDelayedOnes() {
    put(store, key(1));
    faults.plan(Fault.DELAY, Fault.CRASH_BEFORE_DURABLE);
    CompletableFuture<Void> delayed = put(store, key(2));
    Transaction last = store.begin();
    last.put(key(3), VALUE);
    last.put(key(4), VALUE);

    assertFails(last.commit(), StoreException.class);
    assertFails(delayed, StoreException.class);
    assertThatThrownBy(() -> store.get(key(1))).isInstanceOf(StoreException.class);
    MemoryStore restarted = store.crash();
    assertThat(restarted.get(key(1))).isEqualTo(VALUE);
    assertThat(restarted.get(key(2))).isNull();
    assertThat(restarted.get(key(3))).isNull();
    assertThat(restarted.get(key(4))).isNull();
    assertThat(put(restarted, key(5))).isCompleted();
  }

  @Test
  void aCrashAfterDurabilityKeepsTheCommitAndAllBeforeIt() {
    faults.plan(Fault.DELAY, Fault.CRASH_AFTER_DURABLE);
    CompletableFuture<Void> delayed = put(store, key(1));
    assertFails(put(store, key(2)), StoreException.class);
    assertFails(delayed, StoreException.class);
    MemoryStore restarted = store.crash();
    assertThat(restarted.get(key(1))).isEqualTo(VALUE);
    assertThat(restarted.get(key(2))).isEqualTo(VALUE);
  }

  @Test
  void aCrashLeavesIndexRowsBehind() {
    put(store, key(1));
    Transaction removal = store.begin();
    removal.deleteIndex(key(1));
    removal.commit();
    faults.plan(Fault.CRASH_BEFORE_DURABLE);
    Transaction lost = store.begin();
    lost.put(key(2), VALUE);
    lost.putIndex(key(3), VALUE);
    lost.commit();

    MemoryStore restarted = store.crash();
    assertThat(restarted.get(key(1))).isEqualTo(VALUE);
    assertThat(restarted.get(key(2))).isNull();
    assertThat(restarted.get(key(3))).isEqualTo(VALUE);
  }

  @Test
  void withoutFaultsACrashLosesNothingAndLeavesNothingBehind() {
    MemoryStore plain = new MemoryStore();
    put(plain, key(1));
    Transaction removal = plain.begin();
    removal.deleteIndex(key(1));
    removal.put(key(2), VALUE);
    assertThat(removal.commit()).isCompleted();
    MemoryStore restarted = plain.crash();
    assertThat(restarted.get(key(1))).isNull();
    assertThat(restarted.get(key(2))).isEqualTo(VALUE);
  }

  @Test
  void theSameSeedGivesTheSameFaults() {
    assertThat(outcomes(7)).isEqualTo(outcomes(7)).isNotEqualTo(outcomes(8));
  }

  private static List<String> outcomes(long seed) {
    MemoryStore store =
        new MemoryStore(
            Faults.seeded(
                seed,
                Map.of(
                    Fault.CONFLICT, 0.2,
                    Fault.DELAY, 0.2,
                    Fault.LOST_REPLY, 0.2,
                    Fault.CRASH_BEFORE_DURABLE, 0.1,
                    Fault.CRASH_AFTER_DURABLE, 0.1)));
    List<String> outcomes = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      CompletableFuture<Void> commit = put(store, key(i));
      outcomes.add(commit.isDone() + " " + commit.isCompletedExceptionally());
      try {
        store.traits();
      } catch (StoreException e) {
        outcomes.add(e.getMessage());
        store = store.crash();
      }
    }
    return outcomes;
  }

  private static CompletableFuture<Void> put(MemoryStore store, Key key) {
    Transaction transaction = store.begin();
    transaction.put(key, VALUE);
    return transaction.commit();
  }

  private static void assertFails(CompletableFuture<Void> commit, Class<? extends Throwable> with) {
    assertThat(commit).isCompletedExceptionally();
    assertThat(commit.handle((nothing, failure) -> failure).join())
        .isInstanceOf(with)
        .isNotInstanceOf(ConflictException.class);
  }

  private static Key key(int number) {
    return new Key(TABLE, new byte[] {(byte) number});
  }
}
