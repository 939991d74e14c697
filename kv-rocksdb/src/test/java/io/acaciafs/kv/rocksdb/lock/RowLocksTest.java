package io.acaciafs.kv.rocksdb.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Table;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RowLocksTest {
  private static final int[] NONE = {};

  private final RowLocks locks = new RowLocks(new RowSlots(10), 20);

  @Test
  void aWriteChangesTheVersionAndAnUnusedLockDoesNot() {
    long before = locks.version(5);
    lockAndUnlock(5, false);
    assertThat(locks.isAt(5, before, NONE)).isTrue();
    lockAndUnlock(5, true);
    assertThat(locks.isAt(5, before, NONE)).isFalse();
    assertThat(locks.version(5)).isEqualTo(before + 2);
  }

  @Test
  void whatIsHeldHoldsForItsHolderOnly() {
    long before = locks.version(5);
    int[] held = {3, 5};
    assertThat(locks.lock(held)).isTrue();
    assertThat(locks.isAt(5, before, held)).isTrue();
    assertThat(locks.isAt(5, before, NONE)).isFalse();
    assertThat(locks.isAt(5, before, new int[] {3})).isFalse();
  }

  @Test
  void aReaderDoesNotWaitForEver() {
    long before = locks.version(5);
    locks.lock(new int[] {5});
    assertThat(locks.version(5)).isEqualTo(before);
  }

  @Test
  void whoCannotHaveAllHoldsNothing() {
    locks.lock(new int[] {5});
    assertThat(locks.lock(new int[] {4, 5})).isFalse();
    assertThat(locks.lock(new int[] {4})).isTrue();
  }

  @Test
  void rowsSpreadOverTheSlots() {
    Set<Integer> slots = new HashSet<>();
    for (int i = 0; i < 1_024; i++) {
      int slot =
          locks.slotOf(
              new Key(
                  new Table("rows", 8), new byte[] {0, 0, 0, 0, 0, 0, (byte) (i >> 8), (byte) i}));
      assertThat(slot).isBetween(0, 1_023);
      slots.add(slot);
    }
    assertThat(slots).hasSizeGreaterThan(550); // 647 is what chance gives
  }

  private void lockAndUnlock(int slot, boolean written) {
    int[] slots = {slot};
    assertThat(locks.lock(slots)).isTrue();
    locks.unlock(slots, written);
  }
}
