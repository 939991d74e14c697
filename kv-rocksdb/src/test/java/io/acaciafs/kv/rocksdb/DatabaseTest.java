package io.acaciafs.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.rocksdb.common.Families;
import io.acaciafs.kv.rocksdb.files.NativeObjects;
import io.acaciafs.kv.rocksdb.lock.RowSlots;
import io.acaciafs.kv.rocksdb.log.CommitLog;
import io.acaciafs.kv.rocksdb.memtable.BatchEncoder;
import io.acaciafs.kv.rocksdb.memtable.Memtable;
import io.acaciafs.kv.rocksdb.memtable.MemtableFlusher;
import io.acaciafs.kv.rocksdb.memtable.PartitionVersions;
import io.acaciafs.kv.rocksdb.memtable.RowBatch;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDB;

/** How a store with a replicated log, and a term in it, ends. */
class DatabaseTest {
  private static final Table ROWS = Table.ofSingleRows("rows");
  private static final int FAMILY = 1;
  private static final Families FAMILIES = new Families(Map.of(ROWS, FAMILY));
  private static final int PART_BYTES = 2_000;
  private static final long WAIT_S = 30;

  @TempDir private Path folder;

  private final Memtable memtable =
      new Memtable(FAMILIES, new RowSlots(8), new PartitionVersions(4), PART_BYTES, 2);
  private final Log log = new Log();
  private final NativeObjects natives = new NativeObjects();
  private boolean freed;

  /** The threads that write into files. */
  private final BlockingQueue<Thread> writers = new LinkedBlockingQueue<>();

  private final Semaphore mayWrite = new Semaphore(0);

  private final MemtableFlusher.Target files =
      new MemtableFlusher.Target() {
        @Override
        public void write(byte[] batch) {
          writers.add(Thread.currentThread());
          mayWrite.acquireUninterruptibly();
        }

        @Override
        public void flush(Set<Integer> families) {}
      };

  /** Of members of which no other one answers: nothing that is added becomes durable. */
  private static final class Log implements CommitLog {
    private final BlockingQueue<Long> released = new LinkedBlockingQueue<>();
    private long durable;
    private long appended;
    private boolean closed;

    @Override
    public long append(ByteBuffer batch) {
      return ++appended;
    }

    @Override
    public CompletableFuture<Void> sync() {
      return new CompletableFuture<>();
    }

    @Override
    public long durable() {
      return durable;
    }

    @Override
    public void release(long upTo) {
      released.add(upTo);
    }

    @Override
    public boolean isReplicated() {
      return true;
    }

    @Override
    public CompletableFuture<Void> readBarrier() {
      return new CompletableFuture<>();
    }

    @Override
    public boolean holdsLease() {
      return false;
    }

    @Override
    public long roll() {
      return appended + 1;
    }

    @Override
    public Snapshot snapshot() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @BeforeEach
  void load() {
    DatabaseOpener.loadLibrary();
  }

  @AfterEach
  void end() {
    mayWrite.release(1_000);
    natives.close();
  }

  private Database open(long longestCallMs) throws Exception {
    RocksDB db = natives.add(RocksDB.open(folder.toString()));
    natives.atEnd(() -> freed = true);
    Database database = new Database(db, Map.of(), memtable, log, files, natives, longestCallMs);
    database.startWriteOut(failure -> {});
    return database;
  }

  /** The next batch of another leader. */
  private void apply() {
    BatchEncoder batch = new BatchEncoder();
    batch.append(FAMILY, new byte[] {(byte) log.durable}, new byte[] {1});
    byte[] bytes = new byte[batch.sizeBytes()];
    batch.toBuffer().get(bytes);
    memtable.recover(++log.durable, bytes, 0, bytes.length);
    memtable.allDurable();
    log.appended = log.durable;
  }

  private void commit(int bytes) {
    RowBatch batch = new RowBatch(1);
    batch.add(new Key(ROWS, new byte[] {100, (byte) bytes}), new byte[bytes]);
    memtable.add(batch);
  }

  /** Other batches get their positions, and may be in memory alone when the rest is in files. */
  @Test
  void batchesThatWereTakenBackAreNotReleased() throws Exception {
    Database database = open(TimeUnit.SECONDS.toMillis(WAIT_S));
    apply();
    database.beginTerm();
    commit(PART_BYTES); // the part of the batch before is full then
    commit(1);
    database.addToLog();
    assertThat(log.appended).as("one batch of each part").isEqualTo(3);
    database.endTerm(() -> {});

    mayWrite.release(1_000);
    database.startWriteOut(failure -> {});
    assertThat(log.released.poll(WAIT_S, TimeUnit.SECONDS)).isEqualTo(1);
    database.close(() -> {});
  }

  @Test
  void nothingIsFreedWhileRowsAreWritten() throws Exception {
    apply();
    memtable.seal(); // a full part is written at the start
    Database database = open(1);
    Thread writer = writers.poll(WAIT_S, TimeUnit.SECONDS);
    assertThatThrownBy(() -> database.close(() -> {}))
        .isInstanceOf(StoreException.class)
        .hasMessage("RocksDB took nothing for 1 ms");
    assertThat(freed).isFalse();
    assertThat(log.closed).as("nobody else may have the folder").isFalse();

    mayWrite.release(1_000);
    writer.join(TimeUnit.SECONDS.toMillis(WAIT_S));
    database.close(() -> {});
    assertThat(freed).isTrue();
    assertThat(log.closed).isTrue();
  }

  @Test
  void nothingIsWrittenOnceAllIsFreed() throws Exception {
    Database database = open(TimeUnit.SECONDS.toMillis(WAIT_S));
    mayWrite.release(1_000);
    database.close(() -> {});
    log.released.clear();
    apply(); // an entry that came before a copy was put in its place
    database.close(() -> {});
    assertThat(writers).isEmpty();
    assertThat(log.released).isEmpty();
  }
}
