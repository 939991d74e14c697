package io.acaciafs.namespace.testkit;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.memory.Faults;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.background.BackgroundWork;
import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.context.FileBlocks;
import io.acaciafs.namespace.op.block.AddBlock;
import io.acaciafs.namespace.op.directory.GetFileInfo;
import io.acaciafs.namespace.op.directory.GetListing;
import io.acaciafs.namespace.op.directory.Mkdirs;
import io.acaciafs.namespace.op.file.CompleteFile;
import io.acaciafs.namespace.op.file.CreateFile;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.run.NamespaceOperation;
import io.acaciafs.namespace.settings.DirectorySettings;
import io.acaciafs.namespace.settings.LimitSettings;
import io.acaciafs.namespace.settings.NamespaceSettings;
import io.acaciafs.namespace.settings.PermissionSettings;
import io.acaciafs.namespace.tree.InodeStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.Block;

/** A formatted namespace over a store, and short names for what tests do with it. */
public final class NamespaceFixture implements AutoCloseable {
  public static final String CLIENT = "client_1";
  public static final Caller SUPERUSER = caller("hdfs", true);
  public static final Caller ALICE = caller("alice", false, "staff");
  public static final Caller BOB = caller("bob", false, "staff", "dev");
  public static final Caller CAROL = caller("carol", false);

  private static final long WAIT_SECONDS = 60;

  public final ManualClock clock;
  public final FakeBlocks blocks = new FakeBlocks();
  private final NamespaceSettings settings;
  private final ScheduledExecutorService retries = Executors.newSingleThreadScheduledExecutor();
  private final int processes;
  private final TestCompany company;
  private final AtomicInteger turns = new AtomicInteger();
  private Store store;
  private List<Namespace> namespaces;

  public NamespaceFixture() {
    this(new MemoryStore(), settings(4, 0), new ManualClock());
  }

  public NamespaceFixture(Store store, NamespaceSettings settings, ManualClock clock) {
    this(store, settings, clock, 1);
  }

  /**
   * @param processes how many there are on the store, of which each operation meets another one
   */
  public NamespaceFixture(
      Store store, NamespaceSettings settings, ManualClock clock, int processes) {
    this(store, settings, clock, processes, null);
  }

  /**
   * @param company by which the processes tell each other of changes; null: they do not
   */
  public NamespaceFixture(
      Store store,
      NamespaceSettings settings,
      ManualClock clock,
      int processes,
      TestCompany company) {
    this.settings = settings;
    this.processes = processes;
    this.company = company;
    this.clock = clock;
    open(store);
    join(Namespace.format(runner(), settings, clock));
  }

  /** Small pages, so that paging is seen. */
  public static NamespaceSettings settings(int listLimit, int maxDirectoryItems) {
    NamespaceSettings defaults = NamespaceSettings.defaults("hdfs");
    LimitSettings limits = defaults.limits();
    return defaults.with(
        new LimitSettings(
            limits.maxComponentLengthBytes(),
            maxDirectoryItems,
            1024,
            4,
            limits.minReplication(),
            limits.maxReplication(),
            listLimit));
  }

  /**
   * Small pages, and directories of several buckets.
   *
   * @param splitThreshold entries of a bucket; 0: none is divided
   */
  public static NamespaceSettings settingsOfBuckets(int firstBuckets, long splitThreshold) {
    return settings(4, 0).with(new DirectorySettings(firstBuckets, splitThreshold));
  }

  public static NamespaceSettings settingsWithoutPermissions() {
    NamespaceSettings with = settings(4, 0);
    PermissionSettings permissions = with.permissions();
    return with.with(new PermissionSettings(permissions.owner(), permissions.superGroup(), false));
  }

  public static Caller caller(String user, boolean processOwner, String... groups) {
    return new Caller(
        new Caller.Identity(
            user, "10.0.0.1", processOwner, "supergroup", () -> Set.of(groups), "theMethod"));
  }

  public static Set<Table> tables() {
    Set<Table> tables = new HashSet<>(Namespace.tables());
    tables.add(FakeBlocks.TABLE);
    return tables;
  }

  /** Goes on with another store, as a NameNode that was started again. */
  public void open(Store newStore) {
    store = newStore;
    namespaces =
        IntStream.range(0, processes)
            .mapToObj(
                i ->
                    new Namespace(
                        runner(company == null ? store : company.storeOf(i, store)),
                        settings,
                        blocks,
                        clock,
                        clock,
                        company == null ? null : company.leases(i),
                        company == null ? null : company.changes()))
            .toList();
  }

  /** The same store after a loss of power. */
  public void crash() {
    open(((MemoryStore) store).crash());
  }

  private TransactionRunner runner() {
    return runner(store);
  }

  private TransactionRunner runner(Store ofProcess) {
    return new TransactionRunner(ofProcess, retries, new Random(1));
  }

  public Store store() {
    return store;
  }

  /** That of the first process. */
  public Namespace namespace() {
    return namespaces.get(0);
  }

  public Namespace namespace(int process) {
    return namespaces.get(process);
  }

  public Namespace anyNamespace(Random random) {
    return namespaces.get(random.nextInt(processes));
  }

  /** A store that other processes use as well. */
  public static MemoryStore sharedStore(Faults faults) {
    return new MemoryStore(faults, new Store.Traits(true, true));
  }

  public <T> T run(Caller caller, NamespaceOperation<T> operation) throws IOException {
    int process = Math.floorMod(turns.getAndIncrement(), processes);
    return run(process, caller, operation);
  }

  public <T> T run(int process, Caller caller, NamespaceOperation<T> operation) throws IOException {
    return join(namespaces.get(process).submit(caller, operation));
  }

  /** As the superuser. */
  public <T> T run(NamespaceOperation<T> operation) throws IOException {
    return run(SUPERUSER, operation);
  }

  /** Runs the body of an operation, lets something else happen, and only then commits it. */
  public <T> T runInterleaved(
      Caller caller, NamespaceOperation<T> operation, NamespaceOperation<?> meanwhile)
      throws IOException {
    AtomicBoolean first = new AtomicBoolean(true);
    return run(
        caller,
        tree -> {
          try {
            return operation.run(tree);
          } finally {
            if (first.getAndSet(false)) {
              run(SUPERUSER, meanwhile);
            }
          }
        });
  }

  private static <T> T join(CompletableFuture<T> future) {
    try {
      return future.get(WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw NamespaceFixture.<RuntimeException>unchecked(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    } catch (TimeoutException e) {
      throw new AssertionError("No answer", e);
    }
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> E unchecked(Throwable cause) throws E {
    throw (E) cause;
  }

  // ---- short names

  public void mkdir(String path) throws IOException {
    mkdir(SUPERUSER, path, 0755);
  }

  public void mkdir(Caller caller, String path, int mode) throws IOException {
    run(caller, new Mkdirs(path, new FsPermission((short) mode), true));
  }

  /** A closed file without blocks. */
  public long file(Caller caller, String path, int mode) throws IOException {
    long id = open(caller, path, mode);
    run(caller, new CompleteFile(path, id, CLIENT, null));
    return id;
  }

  public long file(String path) throws IOException {
    return file(SUPERUSER, path, 0644);
  }

  /** A file that is being written. */
  public long open(Caller caller, String path, int mode) throws IOException {
    return run(caller, create(path, mode, CLIENT, CreateFlag.CREATE)).inode().id();
  }

  public long open(String path) throws IOException {
    return open(SUPERUSER, path, 0644);
  }

  /** A closed file with one block. */
  public Block fileWithBlock(String path, long lengthBytes) throws IOException {
    long id = open(path);
    Block block = addBlock(path, id, null);
    block.setNumBytes(lengthBytes);
    run(new CompleteFile(path, id, CLIENT, block));
    return block;
  }

  public Block addBlock(String path, long fileId, Block previous) throws IOException {
    return run(new AddBlock(path, fileId, CLIENT, previous, FileBlocks.Wishes.NONE))
        .getBlock()
        .getLocalBlock();
  }

  public static CreateFile create(String path, int mode, String client, CreateFlag... flags) {
    EnumSet<CreateFlag> set = EnumSet.noneOf(CreateFlag.class);
    set.addAll(List.of(flags));
    return new CreateFile(path, new FsPermission((short) mode), client, set, true, (short) 3, 1024);
  }

  /** Of a symbolic link its own; null where there is nothing. */
  public InodeStatus info(String path) throws IOException {
    return run(new GetFileInfo(path, PathUse.READ_LINK));
  }

  public FileInode fileAt(String path) throws IOException {
    return (FileInode) info(path).inode();
  }

  public boolean exists(String path) throws IOException {
    return info(path) != null;
  }

  /** All names of a directory, over all pages. */
  public List<String> list(String path) throws IOException {
    List<String> names = new ArrayList<>();
    byte[] last = new byte[0];
    GetListing.Page page;
    do {
      page = run(new GetListing(path, last, false));
      for (InodeStatus entry : page.entries()) {
        last = entry.localName();
        names.add(new String(last, StandardCharsets.UTF_8));
      }
    } while (page.hasMore());
    return names;
  }

  /** Removes everything below deleted directories. */
  public void sweep() {
    BackgroundWork.sweep(namespace());
  }

  public long rows(Table table) {
    return keys(table).size();
  }

  public List<Key> keys(Table table) {
    List<Key> keys = new ArrayList<>();
    try (Scan scan = store.scan(KeyRange.ofTable(table))) {
      while (scan.hasNext()) {
        keys.add(scan.next().key());
      }
    }
    return keys;
  }

  /** What is wrong with the rows; stale index rows left out unless asked for. */
  public List<String> damage(boolean staleIndexRowsToo) {
    return check(false).texts(staleIndexRowsToo);
  }

  /** What the check of the store says. */
  public CheckedStore check(boolean repairs) {
    return CheckedStore.of(store, settings, clock, repairs);
  }

  @Override
  public void close() {
    retries.shutdownNow();
    store.close();
  }
}
