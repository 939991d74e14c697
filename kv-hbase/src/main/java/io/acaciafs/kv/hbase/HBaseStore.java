package io.acaciafs.kv.hbase;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Placement;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Session;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.UnavailableException;
import io.acaciafs.kv.WouldBlockException;
import io.acaciafs.kv.WriteSet;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.engine.Snapshots;
import io.acaciafs.kv.engine.StoreMetric;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The store contract on a stock HBase cluster; any number of processes may open the same one.
 *
 * <p>Reads wait for the network, on the caller's thread, but those of {@linkplain #beginNonBlocking
 * non-blocking} transactions. A commit whose rows lie in one region is one conditional request,
 * sent on the caller's thread or when it is its turn, and sent again where only what was assumed
 * was wrong; what takes more runs on the threads {@code hbase-commit-N}. Futures complete on the
 * threads {@code hbase-reply-N}, or on the caller's; those of non-blocking transactions on threads
 * of the network: do not block there. What is visible is durable: HBase shows a write when its log
 * has it.
 */
public final class HBaseStore implements EngineStore {
  private static final Traits TRAITS = new Traits(false, true);
  private static final int NEWEST_PRESENT = 4_096;
  private static final int NEWEST_COUNTERS = 16_384;
  private static final int MOST_AWAITED = 4_096;
  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private static final Placement PLACEMENT =
      new Placement() {
        @Override
        public int groups() {
          return RowKeys.SHARDS;
        }

        @Override
        public int groupOf(Key key) {
          return RowKeys.shardOf(key);
        }
      };

  private final Cluster cluster;
  private final RandomGenerator random = new SecureRandom();
  private final SumColumns sums = new SumColumns();
  private final LockResolver locks;
  private final RowVersions versions = new RowVersions();

  /** Somebody took them for absent when a commit of his failed; perhaps of something else. */
  private final RecentKeys present = new RecentKeys(NEWEST_PRESENT);

  /** Rows of counters that this process has added to. */
  private final RecentKeys knownCounters = new RecentKeys(NEWEST_COUNTERS);

  private final RecentRows recent = RecentRows.forThisHeap();
  private final Committer committer;
  private final Validation validation;
  private final CommitThreads threads;
  private final IndexWrites index;
  private final HBaseSession session;

  /** Rows that are on their way to those who wait on no thread. */
  private final AtomicInteger awaited = new AtomicInteger();

  /** During a pause: the table that may be written. */
  private volatile Table exempt;

  private HBaseStore(Cluster cluster) {
    this.cluster = cluster;
    this.locks = new LockResolver(cluster, random);
    this.committer = new Committer(cluster, locks, recent, random);
    this.validation = new Validation(cluster);
    this.threads = new CommitThreads(cluster.options());
    this.index = new IndexWrites(cluster, committer, threads, random);
    this.session = new HBaseSession(cluster, locks, threads, random);
  }

  /**
   * Makes the HBase table of a store.
   *
   * @param regions with how many regions it begins; more spread the load from the start, and cost
   *     transactions that span them more requests
   * @param isForced whether a table that is there is removed first, with all that is in it
   * @throws StoreException when there is one and it is not, or HBase does not answer
   */
  public static void format(
      HBaseOptions options, Set<Table> tables, int regions, boolean isForced) {
    TableName name = TableName.valueOf(options.table());
    var connected =
        Connections.connect(options, connection -> connection.getAdmin().tableExists(name));
    try {
      if (isForced) {
        Format.remove(connected.connection().getAdmin(), options.table());
      }
      Format.create(connected.connection().getAdmin(), options, tables, regions);
    } finally {
      Connections.closeQuietly(connected.connection());
    }
  }

  /** Where a table is cut that is formatted with so many regions; to cut one that is there. */
  public static List<byte[]> splits(Set<Table> tables, int regions) {
    return List.of(Format.splits(tables, regions));
  }

  /** Whether there is a table that a store could be in; waits for HBase as {@link #open} does. */
  public static boolean isFormatted(HBaseOptions options) {
    TableName name = TableName.valueOf(options.table());
    var connected =
        Connections.connect(options, connection -> connection.getAdmin().tableExists(name));
    Connections.closeQuietly(connected.connection());
    return connected.answer();
  }

  /**
   * Opens what {@link #format} made, and finishes what processes left that ended.
   *
   * @throws StoreException when HBase does not answer in time, has no such table, or one of another
   *     owner
   */
  public static HBaseStore open(HBaseOptions options) {
    TableName name = TableName.valueOf(options.table());
    var connected =
        Connections.connect(
            options,
            connection ->
                connection
                    .getAdmin()
                    .tableExists(name)
                    .thenCompose(
                        isThere ->
                            isThere
                                ? connection.getAdmin().getDescriptor(name)
                                : CompletableFuture.<TableDescriptor>completedFuture(null)));
    HBaseStore store = null;
    try {
      if (connected.answer() == null) {
        throw new StoreException(
            "HBase at "
                + options.zooKeeper()
                + " has no table "
                + options.table()
                + ": format it first");
      }
      Format.check(connected.answer(), options.owner());
      store = new HBaseStore(new Cluster(options, connected.connection()));
      new Recovery(store.cluster, store.locks).run();
      return store;
    } catch (IOException | RuntimeException e) {
      if (store == null) {
        Connections.closeQuietly(connected.connection());
      } else {
        store.close();
      }
      throw e instanceof StoreException known
          ? known
          : new StoreException("The store on HBase cannot be opened: " + e.getMessage(), e);
    }
  }

  @Override
  public OptionalLong roundTrips() {
    return OptionalLong.of(cluster.roundTrips());
  }

  /** All requests to HBase since the start; one for many rows counts once. */
  public long requests() {
    return cluster.requests();
  }

  @Override
  public List<StoreMetric> metrics() {
    return List.of(
        StoreMetric.counter(
            "acacia_store_round_trips", "How often somebody waited for HBase", cluster::roundTrips),
        StoreMetric.counter(
            "acacia_store_requests", "Requests to HBase, of many callers once", cluster::requests));
  }

  @Override
  public long rollLog() {
    throw new UnsupportedOperationException(
        "The log is HBase's: say wal_roll in HBase's shell for each region server");
  }

  /**
   * Lets no commit begin here until {@link #resume}, which must follow soon: who commits waits.
   *
   * @param exemptTable what writes to this table alone goes on
   * @return whether all that were under way have ended in time, with every row of theirs as it will
   *     be; if not there is no pause
   */
  public boolean pause(long longestMs, Table exemptTable) throws InterruptedException {
    checkOpen();
    exempt = exemptTable; // first: who is exempt is not to queue behind this
    boolean isPaused = false;
    try {
      isPaused = threads.pause(longestMs);
    } finally {
      exempt = isPaused ? exemptTable : null;
    }
    return isPaused;
  }

  /** Ends a pause. */
  public void resume() {
    exempt = null;
    threads.resume();
  }

  @Override
  public Optional<Snapshots> snapshots() {
    checkOpen();
    return Optional.of(
        new HBaseSnapshots(this, new TableSnapshots(cluster.admin(), cluster.options().table())));
  }

  /**
   * Finishes what processes left that ended; as at the opening.
   *
   * @throws StoreException when HBase does not answer
   */
  public void recover() {
    checkOpen();
    new Recovery(cluster, locks).run();
  }

  /**
   * Makes the table from a snapshot.
   *
   * @throws StoreException when there is a table of this name, or no such snapshot
   */
  public static void restore(HBaseOptions options, String snapshot) {
    TableName name = TableName.valueOf(options.table());
    var connected =
        Connections.connect(options, connection -> connection.getAdmin().tableExists(name));
    try {
      if (connected.answer()) {
        throw new StoreException(
            "HBase has a table "
                + options.table()
                + " already. Name another one, or drop it in HBase's shell");
      }
      new TableSnapshots(connected.connection().getAdmin(), options.table()).cloneTable(snapshot);
    } finally {
      Connections.closeQuietly(connected.connection());
    }
  }

  /**
   * Removes the table, and HBase's snapshot of this name; does nothing where they are not there.
   *
   * @throws StoreException when HBase refuses
   */
  public static void drop(HBaseOptions options, String snapshot) {
    TableName name = TableName.valueOf(options.table());
    var connected =
        Connections.connect(options, connection -> connection.getAdmin().tableExists(name));
    try {
      Format.remove(connected.connection().getAdmin(), options.table());
      new TableSnapshots(connected.connection().getAdmin(), options.table())
          .removeIfThere(snapshot);
    } finally {
      Connections.closeQuietly(connected.connection());
    }
  }

  @Override
  public List<String> regions() {
    checkOpen();
    return cluster.regions().stream()
        .map(
            region ->
                Bytes.toStringBinary(region.getRegion().getStartKey())
                    + " "
                    + region.getServerName())
        .toList();
  }

  @Override
  public Traits traits() {
    checkOpen();
    return TRAITS;
  }

  @Override
  public Placement placement() {
    return PLACEMENT;
  }

  @Override
  public Session session() {
    return session;
  }

  @Override
  public Transaction begin() {
    checkOpen();
    return new HBaseTransaction(this);
  }

  @Override
  public Transaction beginNonBlocking() {
    checkOpen();
    return new NonBlockingTransaction(this);
  }

  @Override
  public byte[] get(Key key) {
    checkOpen();
    return locks.read(RowKeys.of(key)).value();
  }

  @Override
  public Scan scan(KeyRange range) {
    checkOpen();
    return new HBaseScan(this, range);
  }

  @Override
  public Scan scan(KeyRange range, int rows) {
    checkOpen();
    return new HBaseScan(this, range, rows);
  }

  /** Whether what is read of a table has to be proven each time. */
  boolean isOwn(Table table) {
    FencingTokens passes = cluster.passes();
    return passes != null && passes.ownRows().table().equals(table);
  }

  /** A scan of such a table by a transaction, which proves at its end what it read. */
  Scan scanUnproven(KeyRange range, Consumer<UnprovenRead> unproven) {
    checkOpen();
    return new HBaseScan(this, range, unproven);
  }

  CompletableFuture<PageRead.Page> page(
      org.apache.hadoop.hbase.client.Scan page, Consumer<UnprovenRead> unproven) {
    return cluster.pageLater(page, unproven);
  }

  void noteAlongside(int requests) {
    cluster.noteAlongside(requests);
  }

  PageRead.Page await(CompletableFuture<PageRead.Page> page) {
    return cluster.await(page, "scan");
  }

  /**
   * Waits for who is at work on the row: whoever scans must find what was decided before, also
   * where it has not come to this row yet, as nothing guards what a scan has not found.
   */
  RowState readSettled(byte[] row) {
    return locks.settle(row, cluster.read(row));
  }

  HBaseVersionedRow getVersioned(Key key) {
    checkOpen();
    long version = versions.of(key);
    return HBaseVersionedRow.of(key, locks.read(RowKeys.of(key)), version);
  }

  /** A row is to be {@linkplain #recall recalled} as it was read. */
  void note(HBaseVersionedRow versioned) {
    recent.note(versioned.key(), versioned.state());
  }

  /** A row as it was when this process saw or wrote it last; null where that is not known. */
  RowState recall(Key key) {
    return recent.get(key);
  }

  /** Reads rows at once, each at a moment of its own, but not those that somebody is at work on. */
  Map<Key, HBaseVersionedRow> getAll(List<Key> keys) {
    return cluster.await(getAllLater(keys), "read rows");
  }

  /** The same; completes on threads of the network: do not block there. */
  CompletableFuture<Map<Key, HBaseVersionedRow>> getAllLater(List<Key> keys) {
    checkOpen();
    long[] seen = keys.stream().mapToLong(versions::of).toArray();
    return cluster
        .readLater(keys.stream().map(RowKeys::of).toList())
        .thenApply(states -> settled(keys, seen, states));
  }

  /**
   * The same; null where so many rows are awaited that it is better to wait for a thread first. So
   * few are that whoever waits behind all of them does so for no longer than for a slow request.
   */
  CompletableFuture<Map<Key, HBaseVersionedRow>> getAllIfRoom(List<Key> keys) {
    checkOpen();
    int count = keys.size();
    if (!takeRoom(count)) {
      return null;
    }
    return getAllLater(keys)
        .whenComplete((rows, failure) -> awaited.addAndGet(-count))
        .exceptionallyCompose(
            failure ->
                CompletableFuture.failedFuture(
                    cluster.failed("read rows", Failures.causeOf(failure))));
  }

  /** Whether so many rows more may be awaited; whoever takes room gives it back. */
  private boolean takeRoom(int count) {
    boolean hasRoom = awaited.addAndGet(count) <= MOST_AWAITED;
    if (!hasRoom) {
      awaited.addAndGet(-count);
    }
    return hasRoom;
  }

  private static Map<Key, HBaseVersionedRow> settled(
      List<Key> keys, long[] seen, List<RowState> states) {
    Map<Key, HBaseVersionedRow> versionedRows = new HashMap<>();
    for (int i = 0; i < seen.length; i++) {
      if (states.get(i).isSettled()) {
        Key key = keys.get(i);
        versionedRows.put(key, HBaseVersionedRow.of(key, states.get(i), seen[i]));
      }
    }
    return versionedRows;
  }

  /** Whether nobody was wrong about that lately. */
  boolean mayGuardAbsent(Key key) {
    return !present.contains(key);
  }

  boolean mayGuard(HBaseVersionedRow versioned) {
    checkOpen();
    return versioned.state().isSettled() && versions.of(versioned.key()) == versioned.version();
  }

  CompletableFuture<Void> validate(Guards guards) {
    return guards.unproven().isEmpty()
        ? validateProven(guards)
        : validateProven(guards).thenCompose(valid -> prove(guards.unproven()));
  }

  /** Completes when it is certain that all of it was as it was read. */
  private CompletableFuture<Void> prove(List<UnprovenRead> reads) {
    List<CompletableFuture<Void>> proofs = new ArrayList<>();
    for (UnprovenRead read : reads) {
      if (!read.isProven()) {
        proofs.add(
            cluster
                .prove(read.by(), read.sentNs())
                .thenAccept(
                    isProven -> {
                      if (!isProven) {
                        throw new UnavailableException(
                            "The region server that answered may not have the region any more");
                      }
                    }));
      }
    }
    return CompletableFuture.allOf(proofs.toArray(CompletableFuture[]::new));
  }

  private CompletableFuture<Void> validateProven(Guards guards) {
    if (Validation.isDone(guards)) {
      checkOpen();
      return DONE;
    }
    return threads.submit(
        () ->
            Validation.suffices(guards)
                ? check(guards, () -> lockAndCheck(guards))
                : lockAndCheck(guards),
        failure -> noteConflict(guards, failure));
  }

  /** The same without waiting for room, nor for others; where one has to, it fails. */
  CompletableFuture<Void> validateNonBlocking(Guards guards) {
    checkOpen();
    if (Validation.isDone(guards)) {
      return DONE;
    }
    Supplier<CompletableFuture<Void>> wait =
        () -> CompletableFuture.failedFuture(new WouldBlockException());
    int count = guards.seen().size();
    if (!Validation.suffices(guards) || !takeRoom(count)) {
      return wait.get();
    }
    return check(guards, wait)
        .whenComplete(
            (nothing, failure) -> {
              awaited.addAndGet(-count);
              noteConflict(guards, Failures.causeOf(failure));
            });
  }

  /**
   * @param ifBusy where somebody is at work on a row
   */
  private CompletableFuture<Void> check(Guards guards, Supplier<CompletableFuture<Void>> ifBusy) {
    CompletableFuture<Boolean> checked = validation.check(guards);
    if (checked.isDone() && !checked.isCompletedExceptionally() && !checked.join()) {
      return DONE;
    }
    return checked
        .handle((busy, failure) -> afterCheck(busy, failure, ifBusy))
        .thenCompose(next -> next);
  }

  private CompletableFuture<Void> afterCheck(
      Boolean busy, Throwable failure, Supplier<CompletableFuture<Void>> ifBusy) {
    if (failure != null) {
      Throwable cause = Failures.causeOf(failure);
      return CompletableFuture.failedFuture(
          cause instanceof ConflictException
              ? cause
              : cluster.failed("check what was read", cause));
    }
    return busy ? ifBusy.get() : DONE;
  }

  private CompletableFuture<Void> lockAndCheck(Guards guards) {
    return threads.run(
        () -> committer.check(new CommitPlan(guards, new WriteSet(), sums, knownCounters)));
  }

  CompletableFuture<Void> commit(Guards guards, WriteSet writes) {
    if (writes.isEmpty()) {
      return validate(guards);
    }
    return guards.unproven().isEmpty()
        ? commitProven(guards, writes)
        : commitProven(guards, writes).thenCompose(committed -> prove(guards.unproven()));
  }

  private CompletableFuture<Void> commitProven(Guards guards, WriteSet writes) {
    CommitPlan work = new CommitPlan(guards, writes, sums, knownCounters);
    Supplier<CompletableFuture<Void>> commit = () -> commitNow(work);
    Consumer<Throwable> end =
        failure -> {
          noteChanges(work);
          if (failure == null) {
            work.rows().stream()
                .filter(row -> row.change() == RowCell.Change.ACCUMULATE)
                .forEach(row -> knownCounters.add(row.key()));
          }
          noteConflict(guards, failure);
        };
    return isExempt(writes) ? threads.submitAnyway(commit, end) : threads.submit(commit, end);
  }

  /** Requests for the member table never wait for requests of other rows. */
  private boolean isExempt(WriteSet writes) {
    FencingTokens passes = cluster.passes();
    return isAllOf(exempt, writes) || passes != null && isAllOf(passes.ownRows().table(), writes);
  }

  private static boolean isAllOf(Table table, WriteSet writes) {
    if (table == null) {
      return false;
    }
    for (int i = 0; i < writes.size(); i++) {
      if (!writes.write(i).key().table().equals(table)) {
        return false;
      }
    }
    return true;
  }

  private CompletableFuture<Void> commitNow(CommitPlan work) {
    List<RowPlan> together = work.together();
    if (together == null) {
      recent.forgetChanged(work.rows());
      return threads.run(() -> committer.commit(work), Runnable::run);
    }
    HRegionLocation region = regionOf(together);
    if (region != null) {
      return send(region, together, () -> committer.commitAgain(work));
    }
    CompletableFuture<Void> rows =
        index.write(work.before()).thenCompose(before -> commitRows(work));
    return work.after().isEmpty() ? rows : rows.thenCompose(committed -> index.write(work.after()));
  }

  /** What takes effect at one moment; index rows are others. */
  private CompletableFuture<Void> commitRows(CommitPlan work) {
    List<RowPlan> rows = List.copyOf(work.rows());
    if (rows.isEmpty()) {
      return DONE;
    }
    HRegionLocation region = regionOf(rows);
    if (region == null) {
      recent.forgetChanged(rows);
      return threads.run(() -> committer.take(rows), Runnable::run);
    }
    return send(
        region,
        rows,
        () -> {
          rows.forEach(RowPlan::forget);
          return committer.take(rows);
        });
  }

  /** The one region that all rows lie in, and where one request will do; else null. */
  private HRegionLocation regionOf(List<RowPlan> rows) {
    return isDoubtful(rows) ? null : RowGroups.common(cluster, rows);
  }

  /**
   * One request, for the many; the others go on as they can.
   *
   * @param again commits with other assumptions
   */
  private CompletableFuture<Void> send(
      HRegionLocation region, List<RowPlan> rows, Supplier<Runnable> again) {
    long id = random.nextLong();
    return committer
        .regionCommit()
        .send(region, rows, id)
        .thenCompose(
            outcome ->
                outcome instanceof Outcome.Applied
                    ? applied(rows, id) // waits for nothing more
                    : threads.run(() -> conclude(outcome, rows, id, again), Runnable::run));
  }

  private CompletableFuture<Void> applied(List<RowPlan> rows, long id) {
    recent.noteWritten(rows, id);
    return DONE;
  }

  private Runnable conclude(
      Outcome outcome, List<RowPlan> rows, long id, Supplier<Runnable> again) {
    if (committer.regionCommit().conclude(outcome, rows, id) == Attempt.DONE) {
      recent.noteWritten(rows, id);
      return () -> {};
    }
    recent.forgetChanged(rows);
    return again.get();
  }

  /** Whether somebody was at work on a row when it was read. */
  private static boolean isDoubtful(Collection<RowPlan> rows) {
    return rows.stream().anyMatch(row -> row.guard() != null && !row.guard().isSettled());
  }

  private void noteChanges(CommitPlan work) {
    for (Collection<RowPlan> rows : List.of(work.rows(), work.before(), work.after())) {
      rows.stream().filter(RowPlan::isChanged).forEach(row -> versions.changed(row.key()));
    }
  }

  /** What did not hold once is not assumed again. */
  private void noteConflict(Guards guards, Throwable failure) {
    if (failure instanceof ConflictException) {
      guards.seen().keySet().forEach(versions::changed);
      recent.forget(guards.seen().keySet());
      guards.assumedAbsent().forEach(present::add);
    }
  }

  void checkOpen() {
    threads.checkOpen();
  }

  @Override
  public void close() {
    if (threads.close()) {
      cluster.close();
    }
  }
}
