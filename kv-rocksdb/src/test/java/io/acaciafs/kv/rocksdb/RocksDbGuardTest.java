package io.acaciafs.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Versions are shared by many rows; whether a guard holds is a matter of the row's own value. */
class RocksDbGuardTest {
  private static final Table TABLE = new Table("rows", 2);
  private static final Key GUARDED = new Key(TABLE, new byte[] {1});
  private static final Key OTHER = new Key(TABLE, new byte[] {2});

  @TempDir private Path folder;
  private RocksDbStore store;

  @BeforeEach
  void open() {
    store = SmallStores.open(folder, Set.of(TABLE));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void put(byte... value) throws Exception {
    Transaction transaction = store.begin();
    transaction.put(GUARDED, value);
    transaction.commit().get(30, TimeUnit.SECONDS);
  }

  @Test
  void aNewVersionOfTheSameValueIsNoConflict() throws Exception {
    put((byte) 1);
    Transaction transaction = store.begin();
    transaction.get(GUARDED);
    transaction.put(OTHER, new byte[] {7});
    put((byte) 2);
    put((byte) 1);

    assertThat(transaction.commit()).succeedsWithin(30, TimeUnit.SECONDS);
    assertThat(store.get(OTHER)).containsExactly(7);
  }

  @Test
  void itIsNoneEitherForWhoWritesTheRowItself() throws Exception {
    put((byte) 1);
    Transaction transaction = store.begin();
    transaction.get(GUARDED);
    transaction.put(GUARDED, new byte[] {7});
    put((byte) 1);

    assertThat(transaction.commit()).succeedsWithin(30, TimeUnit.SECONDS);
    assertThat(store.get(GUARDED)).containsExactly(7);
  }

  @Test
  void anotherValueIsAConflict() throws Exception {
    put((byte) 1);
    Transaction transaction = store.begin();
    transaction.get(GUARDED);
    transaction.put(OTHER, new byte[] {7});
    put((byte) 2);

    assertThat(transaction.commit()).failsWithin(30, TimeUnit.SECONDS);
    assertThat(store.get(OTHER)).isNull();
  }
}
