package io.acaciafs.kv.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.memory.Fault;
import io.acaciafs.kv.memory.Faults;
import io.acaciafs.kv.memory.MemoryStore;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class IdSequenceTest {
  private static final int RANGE = 10;
  private static final long FIRST = 16;
  private static final Key NEXT = new Key(Table.ofSingleRows("ids"), new byte[] {1});

  private final Faults faults = Faults.onDemand();
  private MemoryStore store = new MemoryStore(faults);

  private IdSequence sequence() {
    return new IdSequence(store, "test", IdSequenceTest::reserve, RANGE);
  }

  private static long reserve(Transaction transaction, long count) {
    byte[] row = transaction.get(NEXT);
    long first = row == null ? FIRST : ByteBuffer.wrap(row).getLong();
    transaction.put(NEXT, ByteBuffer.allocate(Long.BYTES).putLong(first + count).array());
    return first;
  }

  @Test
  void counts() {
    IdSequence ids = sequence();
    for (long expected = FIRST; expected < FIRST + 5 * RANGE; expected++) {
      assertThat(ids.next()).isEqualTo(expected);
    }
  }

  @Test
  void givesNoIdTwiceOverCrashesAndBetweenProcesses() {
    Set<Long> given = new HashSet<>();
    for (int restart = 0; restart < 20; restart++) {
      IdSequence one = sequence();
      IdSequence other = sequence();
      for (int i = 0; i < restart; i++) {
        assertThat(given.add(one.next())).isTrue();
        assertThat(given.add(other.next())).isTrue();
      }
      store = store.crash();
    }
  }

  @Test
  void whoMustNotWaitGetsItsIdWithTheRange() {
    faults.plan(Fault.DELAY);
    IdSequence ids = sequence();
    List<CompletableFuture<Long>> waiting =
        Stream.generate(ids::nextNonBlocking).limit(3 * RANGE).toList();
    assertThat(waiting).noneMatch(CompletableFuture::isDone);
    store.makeDurable();
    assertThat(waiting).allMatch(CompletableFuture::isDone);
    assertThat(waiting.stream().map(CompletableFuture::join)).doesNotHaveDuplicates();
  }

  @Test
  void whoMustNotWaitIsToldThatThereIsNoRange() {
    faults.plan(Fault.LOST_REPLY);
    IdSequence ids = sequence();
    assertThatThrownBy(() -> ids.nextNonBlocking().join()).hasCauseInstanceOf(StoreException.class);
    assertThat(ids.nextNonBlocking().join()).isEqualTo(FIRST + RANGE);
    store.close();
    assertThat(sequence().nextNonBlocking()).isCompletedExceptionally();
  }

  @Test
  void givesIdsByPlaceAndForgetsNone() {
    IdSequence ids = sequence();
    Set<Long> given = new HashSet<>();
    for (int i = 0; i < 160; i++) {
      int place = i % 3;
      long id = ids.next(place, each -> (int) (each % 16));
      assertThat(id % 16).isEqualTo(place);
      assertThat(given.add(id)).isTrue();
    }
    long behind = ids.next();
    for (int place = 3; place < 16; place++) {
      long id = ids.next(place, each -> (int) (each % 16));
      assertThat(id % 16).isEqualTo(place);
      assertThat(given.add(id)).isTrue();
      assertThat(id).as("was passed over").isLessThan(behind);
    }
    assertThat(given.add(ids.next(-1, each -> 1))).as("there is no such place").isTrue();
  }

  @Test
  void aConflictIsTriedAgainAtOnce() {
    faults.plan(Fault.CONFLICT, Fault.CONFLICT);
    assertThat(sequence().next()).isEqualTo(FIRST);
  }

  @Test
  void aLostReplyCostsARangeAndNothingElse() {
    IdSequence ids = sequence();
    faults.plan(Fault.LOST_REPLY);
    assertThatThrownBy(ids::next).isInstanceOf(StoreException.class);
    assertThat(ids.next()).isEqualTo(FIRST + RANGE);
  }

  @Test
  void aRangeAskedForInAdvanceInVainIsAskedForAgain() {
    IdSequence ids = sequence();
    ids.next();
    faults.plan(Fault.LOST_REPLY);
    Set<Long> given = new HashSet<>();
    for (int i = 0; i < 3 * RANGE; i++) {
      assertThat(given.add(ids.next())).isTrue();
    }
  }
}
