package io.acaciafs.kv.raft.compare;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.FencedOffException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.raft.compare.Request.Kind;
import io.acaciafs.kv.rocksdb.RocksDbOptions;
import io.acaciafs.kv.rocksdb.RocksDbReplica;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import io.acaciafs.kv.rocksdb.log.CommitLog;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemberViewsTest {
  private static final Table TABLE = Table.ofSingleRows("rows");
  private static final long MIB = 1 << 20;

  @TempDir private Path folder;
  private long nowNs;
  private final MemberViews views = new MemberViews(() -> nowNs);
  private final Log log = new Log();
  private RocksDbReplica replica;
  private RocksDbStore store;

  /** A log whose batches become durable when a majority takes them, or not. */
  private final class Log implements CommitLog {
    private volatile long appended;
    private volatile boolean hasMajority = true;
    private volatile CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
    private boolean ended;

    @Override
    public synchronized long append(ByteBuffer batch) {
      if (ended) {
        throw anotherLeads();
      }
      if (!hasMajority) {
        last = new CompletableFuture<>();
      }
      appended = appended + 1; // one thread appends
      return appended;
    }

    /** Another member leads. */
    synchronized void endTerm() {
      ended = true;
      last.completeExceptionally(anotherLeads());
    }

    /** This one leads again. */
    synchronized void beginTerm() {
      ended = false;
      hasMajority = true;
      last = CompletableFuture.completedFuture(null);
    }

    private static FencedOffException anotherLeads() {
      return new FencedOffException("another one leads");
    }

    @Override
    public CompletableFuture<Void> sync() {
      if (hasMajority) {
        replica.durable(appended);
      }
      return last;
    }

    @Override
    public long durable() {
      return appended;
    }

    @Override
    public void release(long upTo) {}

    @Override
    public boolean isReplicated() {
      return true;
    }

    @Override
    public CompletableFuture<Void> readBarrier() {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public boolean holdsLease() {
      return true;
    }

    @Override
    public long roll() {
      return 0;
    }

    @Override
    public Snapshot snapshot() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }

  @BeforeEach
  void open() {
    replica =
        RocksDbReplica.open(
            folder,
            Set.of(TABLE),
            RocksDbOptions.defaults().withMaxWalBytes(MIB),
            (path, segmentBytes, replay) -> log,
            failure -> {});
    store = replica.lead();
  }

  @AfterEach
  void close() {
    log.endTerm();
    store.close();
    views.end();
    replica.close();
  }

  private CompletableFuture<Void> put(int row, String value, int length) {
    Transaction transaction = store.begin();
    transaction.put(
        new Key(TABLE, String.format("%05d", row).getBytes(UTF_8)),
        (value + "-".repeat(length)).getBytes(UTF_8));
    return transaction.commit();
  }

  private void putAll(String value, int rows, int length) throws Exception {
    List<CompletableFuture<Void>> commits = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      commits.add(put(row, value, length));
    }
    CompletableFuture.allOf(commits.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
  }

  private byte[] ask(Kind kind, long id) throws IOException {
    return views.answer(Request.of(kind, id).encode());
  }

  private boolean isTaken(long id) throws IOException {
    return ask(Kind.IS_TAKEN, id)[0] == 1;
  }

  private RangeDigest digest(long id, KeyRange range) throws IOException {
    byte[] answer = views.answer(Request.of(Kind.DIGEST, id, range, 0).encode());
    return RangeDigest.read(new DataInputStream(new ByteArrayInputStream(answer)));
  }

  private void take(long id) throws IOException {
    ask(Kind.EXPECT, id);
    assertThat(isTaken(id)).isFalse();
    views.mark(id, replica::view);
    assertThat(isTaken(id)).isTrue();
  }

  @Test
  void aMarkThatWasNotAnnouncedIsIgnored() throws Exception {
    views.mark(5, replica::view);
    assertThat(isTaken(5)).isFalse();
    ask(Kind.EXPECT, 6);
    views.mark(5, replica::view);
    assertThat(isTaken(5)).isFalse();
    ask(Kind.RELEASE, 6);
    views.mark(6, replica::view);
    assertThat(isTaken(6)).isFalse();
  }

  /** Whatever is written into files meanwhile, and whatever is shown that is not durable. */
  @Test
  void aViewStaysAsTheStoreWas() throws Exception {
    KeyRange all = KeyRange.ofTable(TABLE);
    putAll("first", 1_000, 100);
    take(1);
    RangeDigest first = digest(1, all);
    assertThat(first.rows()).isEqualTo(1_000);
    log.hasMajority = false;
    put(0, "not durable", 0);
    take(2);
    assertThat(digest(2, all)).isEqualTo(first);
    log.endTerm();
    store.close();
    replica.follow();
    log.beginTerm();
    store = replica.lead();

    take(3);
    for (int round = 0; round < 10; round++) { // many times what the memtable takes
      putAll("round" + round, 1_000 + round, 1_000);
      if (round == 4) {
        assertThat(digest(3, all)).isEqualTo(first);
      }
    }
    assertThat(digest(3, all)).isEqualTo(first);
    KeyRange half = new KeyRange(TABLE, new byte[0], "00500".getBytes(UTF_8));
    assertThat(digest(3, half).rows()).isEqualTo(500);
    assertThat(digest(3, new KeyRange(TABLE, "00500".getBytes(UTF_8), null)).rows()).isEqualTo(500);
    take(4);
    assertThat(digest(4, all).rows()).isEqualTo(1_009);
  }

  @Test
  void aViewThatNobodyAsksForIsGivenUp() throws Exception {
    putAll("first", 10, 0);
    take(1);
    nowNs += MemberViews.KEPT_NS - 1;
    views.removeUnused();
    assertThat(digest(1, KeyRange.ofTable(TABLE)).rows()).isEqualTo(10);
    nowNs += MemberViews.KEPT_NS + 1;
    views.removeUnused();
    assertThatThrownBy(() -> digest(1, KeyRange.ofTable(TABLE)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no longer has the view");
    ask(Kind.EXPECT, 2);
    nowNs += MemberViews.KEPT_NS + 1;
    views.removeUnused();
    assertThat(views.isExpected(2)).isFalse();
  }

  @Test
  void aComparisonEndsTheOneBefore() throws Exception {
    take(1);
    ask(Kind.EXPECT, 2);
    assertThat(isTaken(1)).isFalse();
  }

  @Test
  void aViewEndsWithTheTermOfItsLeader() throws Exception {
    take(1);
    store.close();
    assertThatThrownBy(() -> digest(1, KeyRange.ofTable(TABLE)))
        .isInstanceOf(FencedOffException.class);
    replica.follow();
    store = replica.lead();
  }

  @Test
  void whatIsNotUnderstoodIsRefused() {
    assertThatThrownBy(() -> views.answer(new byte[] {100, 0}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> views.answer(new byte[] {3, 0})).isInstanceOf(IOException.class);
  }
}
