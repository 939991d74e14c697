package io.acaciafs.kv.rocksdb.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class NativeLibraryTest {
  private final AtomicInteger loads = new AtomicInteger();

  @Test
  void whoComesSecondMeetsWhatTheFirstHasMet() {
    NativeLibrary library =
        new NativeLibrary(
            () -> {
              loads.incrementAndGet();
              throw new UnsatisfiedLinkError("/tmp is mounted noexec");
            });
    for (int call = 0; call < 2; call++) {
      assertThatThrownBy(library::load)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("/tmp is mounted noexec");
    }
    assertThat(loads).hasValue(1);
  }

  @Test
  void whoComesSecondWaitsForTheFirst() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    NativeLibrary library =
        new NativeLibrary(
            () -> {
              loads.incrementAndGet();
              begun.countDown();
              awaitUninterrupted(mayEnd);
            });
    CompletableFuture<Void> first = CompletableFuture.runAsync(library::load);
    begun.await();
    CompletableFuture<Void> second = CompletableFuture.runAsync(library::load);
    assertThat(second).isNotDone();
    mayEnd.countDown();
    first.join();
    second.join();
    assertThat(loads).hasValue(1);
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
