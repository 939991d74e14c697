package io.acaciafs.namenode.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.memory.MemoryStore;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Restores to one name at once, of which each makes a clone of the same snapshot. */
class SharedRestoreTest {
  private static final long PATIENCE_MS = 10_000;

  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger taken = new AtomicInteger();
  private volatile Store clone = new MemoryStore();
  private volatile int replaceAt;

  /** The name, and whatever clone has it when somebody begins with it. */
  private final Store part =
      (Store)
          Proxy.newProxyInstance(
              Store.class.getClassLoader(),
              new Class<?>[] {Store.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("begin") && begun.incrementAndGet() == replaceAt) {
                  clone = new MemoryStore();
                }
                return method.invoke(clone, arguments);
              });

  private void correct(SharedRestore.Snapshot snapshot) throws IOException {
    SharedRestore.correct(part, PATIENCE_MS, snapshot);
  }

  @Test
  void takesTheSnapshotOfItsOwnClone() throws IOException {
    correct(taken::incrementAndGet);
    assertThat(taken).hasValue(1);
  }

  @Test
  void takesNoneWhereAnotherRestoreHasReplacedTheCloneMeanwhile() throws IOException {
    correct(() -> {});
    int transactions = begun.get();
    assertThat(transactions).isGreaterThan(3);
    for (int i = 2; i <= transactions; i++) {
      replaceAt = begun.get() + i;
      assertThatThrownBy(() -> correct(taken::incrementAndGet))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Another restore to the same table has begun");
    }
    assertThat(taken).hasValue(0);
  }

  @Test
  void failsWhereTheSnapshotIsOfAnotherClone() {
    assertThatThrownBy(() -> correct(() -> clone = new MemoryStore()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Another restore to the same table has begun");
  }

  @Test
  void failsWhereAnotherRestoreHasMarkedTheClone() {
    assertThatThrownBy(() -> correct(() -> RestoreMark.leave(part, new Random(1))))
        .hasMessageContaining("Another restore to the same table has begun");
  }

  @Test
  void knowsWhatOneRestoreHasMade() throws IOException {
    try (MemoryStore one = new MemoryStore();
        MemoryStore other = new MemoryStore()) {
      assertThat(RestoreMark.isSame(one, other)).isFalse();
      RestoreMark.leave(one, new Random(1));
      assertThat(RestoreMark.isSame(one, other)).isFalse();
      RestoreMark.leave(other, new Random(2));
      assertThat(RestoreMark.isSame(one, other)).isFalse();
      RestoreMark.leave(other, new Random(1));
      assertThat(RestoreMark.isSame(one, other)).isTrue();
    }
  }
}
