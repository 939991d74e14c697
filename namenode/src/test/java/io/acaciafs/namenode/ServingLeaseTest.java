package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.rocksdb.RocksDbOptions;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two NameNodes do not serve one store. */
class ServingLeaseTest {
  private static final Key KEY = new Key(ServingLease.TABLE, new byte[] {0});
  private static final Runnable NOBODY_TAKES_IT =
      () -> {
        throw new AssertionError("lost");
      };

  @TempDir private Path folder;

  private RocksDbStore store;

  @BeforeEach
  void open() {
    store = RocksDbStore.open(folder, Set.of(ServingLease.TABLE), RocksDbOptions.defaults());
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void theSecondIsRefusedWhileTheFirstServes() throws Exception {
    try (ServingLease first = ServingLease.take(store, "one", 4_000, NOBODY_TAKES_IT)) {
      assertThat(first).isNotNull();
      assertThatThrownBy(() -> ServingLease.take(store, "two", 4_000, NOBODY_TAKES_IT))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Another NameNode serves this store: one");
    }
    assertThat(store.peek(KEY)).as("given back").isNull();
    ServingLease.take(store, "two", 60_000, NOBODY_TAKES_IT).close();
  }

  @Test
  void aLeaseThatNobodyRenewsRunsOut() throws Exception {
    put("crashed\n7");
    try (ServingLease next = ServingLease.take(store, "next", 200, NOBODY_TAKES_IT)) {
      assertThat(next).isNotNull();
      assertThat(new String(store.peek(KEY), StandardCharsets.UTF_8)).startsWith("next ");
    }
  }

  @Test
  void whoHasLostItIsTold() throws Exception {
    CountDownLatch lost = new CountDownLatch(1);
    try (ServingLease lease = ServingLease.take(store, "one", 200, lost::countDown)) {
      assertThat(lease).isNotNull();
      put("other\n1");
      assertThat(lost.await(20, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(store.peek(KEY)).as("the other's stays").isNotNull();
  }

  /** As another one does, whatever is there. */
  private void put(String row) {
    Transaction transaction = store.begin();
    transaction.put(KEY, row.getBytes(StandardCharsets.UTF_8));
    transaction.commit().join();
  }
}
