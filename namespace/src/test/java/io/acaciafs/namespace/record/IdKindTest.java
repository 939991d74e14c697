package io.acaciafs.namespace.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.run.IdSequence;
import org.junit.jupiter.api.Test;

class IdKindTest {
  private static final int RANGE = 10;

  private final MemoryStore store = new MemoryStore();

  @Test
  void inodesBeginBehindTheRootAndCount() {
    assertThat(IdKind.INODE.peekNext(store)).isEqualTo(16386);
    IdSequence ids = IdKind.INODE.sequence(store, RANGE);
    for (long expected = 16386; expected < 16386 + 5 * RANGE; expected++) {
      assertThat(ids.next()).isEqualTo(expected);
    }
  }

  @Test
  void idsThatAreSkippedAreNotGivenOut() {
    Transaction tx = store.begin();
    IdKind.INODE.skipTo(tx, 20_000);
    tx.commit().join();
    assertThat(IdKind.INODE.sequence(store, RANGE).next()).isEqualTo(20_000);
  }
}
