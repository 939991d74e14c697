package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.engine.Checkpoints;
import io.acaciafs.kv.rocksdb.common.Gate;
import io.acaciafs.kv.rocksdb.log.CommitLog;
import io.acaciafs.kv.rocksdb.memtable.Memtable;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A folder on one of several servers whose logs have the same batches. While another server leads,
 * {@link #apply} takes its batches. In a term in which this one leads, {@link #lead} gives a store;
 * closing that store takes back what it showed and the log did not make durable.
 *
 * <p>One thread calls {@link #apply}, {@link #lead} and the end of the store, in turn; {@link
 * #durable} is for any thread.
 */
public final class RocksDbReplica implements AutoCloseable {
  private final Database database;
  private final Memtable memtable;
  private final Consumer<StoreException> onFailure;

  private RocksDbReplica(Database database, Consumer<StoreException> onFailure) {
    this.database = database;
    this.memtable = database.memtable();
    this.onFailure = onFailure;
    memtable.allDurable();
    database.startWriteOut(onFailure);
  }

  /**
   * Opens a folder, which is made when there is none.
   *
   * @param tables all that the folder holds; new ones are made
   * @param logs opens the log, which {@linkplain CommitLog#isReplicated is replicated}
   * @param onFailure is told when batches can be written into files no more
   * @throws StoreException when the folder is in use by a process, holds other tables, or is broken
   */
  public static RocksDbReplica open(
      Path folder,
      Set<Table> tables,
      RocksDbOptions options,
      CommitLog.Opener logs,
      Consumer<StoreException> onFailure) {
    return new RocksDbReplica(new DatabaseOpener(folder, tables, options, logs).open(), onFailure);
  }

  /**
   * Takes the next batch of the log, which is durable. Waits while the disk takes less than comes.
   *
   * @param position of the batch
   * @param buffer holds the batch from {@code from} to before {@code to}
   */
  public void apply(long position, byte[] buffer, int from, int to) {
    database.awaitRoom();
    memtable.recover(position, buffer, from, to);
    memtable.allDurable();
  }

  /** Batches of the store that leads are durable up to a position. */
  public void durable(long position) {
    database.durable(position);
  }

  /**
   * A store that adds to the log. All batches before have been applied.
   *
   * @return ends with its {@link RocksDbStore#close}, and has to end before another one begins
   */
  public RocksDbStore lead() {
    database.beginTerm();
    return new RocksDbStore(database, database::syncLog);
  }

  /** After the store of a term was closed: takes batches of others again. */
  public void follow() {
    database.startWriteOut(onFailure);
  }

  /**
   * What a replica has applied, for reads alone, whether another server leads or this one.
   *
   * @param replicas the one to read from now, as another one takes its place when a copy of the
   *     store is installed
   */
  public static Store applied(Supplier<RocksDbReplica> replicas) {
    return new AppliedStore(() -> replicas.get().database);
  }

  /**
   * As {@link RocksDbStore#checkpoint}.
   *
   * @param ofLog gives the folder what its files may lack
   */
  public void checkpoint(Path folder, CommitLog.Snapshot ofLog) {
    database.gate().enter();
    try {
      database.checkpoint(folder, ofLog);
    } finally {
      database.gate().leave();
    }
  }

  /**
   * Copies for a store on one server.
   *
   * @param replicas the one to copy now, see {@link #applied}
   * @param tables all that they hold
   * @param ofLog gives a copy what its files may lack
   */
  public static Checkpoints checkpoints(
      Supplier<RocksDbReplica> replicas, Set<Table> tables, Supplier<CommitLog.Snapshot> ofLog) {
    return new StoreCheckpoints(
        tables,
        folder -> {
          try (CommitLog.Snapshot log = ofLog.get()) {
            replicas.get().checkpoint(folder, log);
          }
        },
        () -> replicas.get().fileBytes());
  }

  private long fileBytes() {
    database.gate().enter();
    try {
      return database.fileBytes();
    } finally {
      database.gate().leave();
    }
  }

  /**
   * All rows as they are after the last batch that is durable. By the thread that applies batches;
   * takes microseconds.
   *
   * @return to be closed; ends by itself with this replica, and with a term in which it leads
   */
  public RocksDbView view() {
    Gate gate = database.gate();
    gate.enter();
    try {
      return database.view();
    } finally {
      gate.leave();
    }
  }

  /** No store leads. Writes what is in memory into files. */
  @Override
  public void close() {
    database.close(() -> {});
  }
}
