package io.acaciafs.kv.hbase.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.WouldBlockException;
import io.acaciafs.kv.hbase.HBaseStore;
import io.acaciafs.kv.hbase.Stores;
import io.acaciafs.kv.hbase.TestHBase;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.local.LocalHBase;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Reads that no thread waits for. */
@Tag("hbase")
@ExtendWith(TestHBase.class)
class NonBlockingTransactionTest {
  private static final Table TABLE = new Table("rows", 1);
  private static final Key ONE = key(1);
  private static final Key TWO = key(2);
  private static final Key NONE = key(3);

  private final HBaseOptions options;
  private HBaseStore store;

  NonBlockingTransactionTest(LocalHBase hbase) {
    options = Stores.options(hbase).withTable("non-blocking");
  }

  @BeforeEach
  void open() throws Exception {
    store = Stores.openEmpty(options, Set.of(TABLE), 1);
    put(ONE, 1);
    put(TWO, 2);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void aRowIsThereWhenItHasCome() throws Exception {
    long before = store.requests();
    Transaction look = store.beginNonBlocking();
    arrives(() -> look.get(ONE));
    assertThat(look.get(ONE)).containsExactly(1);
    look.validate().get(60, TimeUnit.SECONDS);
    assertThat(store.requests() - before).isEqualTo(1);
    assertThat(look.remoteReads().recallUnguarded(ONE)).as("as by who waits").containsExactly(1);
  }

  @Test
  void anAbsentRowComesToo() throws Exception {
    Transaction look = store.beginNonBlocking();
    arrives(() -> look.get(NONE));
    assertThat(look.get(NONE)).isNull();
    look.validate().get(60, TimeUnit.SECONDS);
  }

  @Test
  void rowsComeTogether() throws Exception {
    long before = store.requests();
    Transaction look = store.beginNonBlocking();
    arrives(() -> look.remoteReads().prefetch(List.of(ONE, TWO)));
    look.remoteReads().prefetch(List.of(ONE, TWO));
    assertThat(look.get(ONE)).containsExactly(1);
    assertThat(store.requests() - before).isEqualTo(1);
    look.validate().get(60, TimeUnit.SECONDS);
    assertThat(look.remoteReads().prefetched().get(TWO)).containsExactly(2);
    assertThatThrownBy(() -> look.remoteReads().prefetched().get(NONE))
        .as("nobody asks any more")
        .isInstanceOf(WouldBlockException.class);
  }

  @Test
  void whatIsReadBesideComesAsWell() throws Exception {
    Transaction look = store.beginNonBlocking();
    arrives(() -> look.unguarded().get(ONE));
    assertThat(look.unguarded().get(ONE)).containsExactly(1);
    look.validate().get(60, TimeUnit.SECONDS);
  }

  /** The first is read a second time, to know that both were so at one moment. */
  @Test
  void guardsOfTwoRowsAreReadAgain() throws Exception {
    Transaction look = readBoth();
    long before = store.requests();
    look.validate().get(60, TimeUnit.SECONDS);
    assertThat(store.requests() - before).isEqualTo(1);
    Transaction late = readBoth();
    put(ONE, 3);
    CompletableFuture<Void> checked = late.validate();
    assertThatThrownBy(() -> checked.get(60, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(ConflictException.class);
  }

  private Transaction readBoth() throws Exception {
    Transaction look = store.beginNonBlocking();
    arrives(() -> look.get(ONE));
    look.get(ONE);
    arrives(() -> look.get(TWO));
    look.get(TWO);
    return look;
  }

  @Test
  void aGuardOfAnyValueBlocks() {
    Transaction look = store.beginNonBlocking();
    look.guardExists(ONE);
    CompletableFuture<Void> checked = look.validate();
    assertThatThrownBy(() -> checked.get(60, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(WouldBlockException.class);
  }

  @Test
  void aScanBlocks() {
    hasToWait(() -> store.beginNonBlocking().unguarded().scan(KeyRange.ofTable(TABLE)));
  }

  @Test
  void whatIsClosedSaysSo() {
    Transaction look = store.beginNonBlocking();
    store.close();
    assertThatThrownBy(() -> look.get(ONE)).isInstanceOf(StoreException.class);
    assertThatThrownBy(store::beginNonBlocking).isInstanceOf(StoreException.class);
  }

  private static void arrives(Runnable read) throws Exception {
    WouldBlockException missing = catchThrowableOfType(WouldBlockException.class, read::run);
    assertThat(missing.arrival()).isNotNull();
    missing.arrival().get(60, TimeUnit.SECONDS);
  }

  private static void hasToWait(Runnable read) {
    WouldBlockException missing = catchThrowableOfType(WouldBlockException.class, read::run);
    assertThat(missing.arrival()).isNull();
  }

  private void put(Key key, int value) {
    Transaction transaction = store.begin();
    transaction.put(key, new byte[] {(byte) value});
    transaction.commit().join();
  }

  private static Key key(int name) {
    return new Key(TABLE, new byte[] {0, (byte) name});
  }
}
