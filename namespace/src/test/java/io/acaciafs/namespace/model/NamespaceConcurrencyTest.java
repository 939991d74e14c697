package io.acaciafs.namespace.model;

import static io.acaciafs.namespace.testkit.NamespaceFixture.CLIENT;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.memory.Fault;
import io.acaciafs.kv.memory.Faults;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.rocksdb.RocksDbOptions;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import io.acaciafs.namespace.background.BackgroundWork;
import io.acaciafs.namespace.context.FileBlocks;
import io.acaciafs.namespace.op.attribute.SetPermission;
import io.acaciafs.namespace.op.attribute.SetTimes;
import io.acaciafs.namespace.op.block.AddBlock;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.op.directory.GetListing;
import io.acaciafs.namespace.op.directory.Rename;
import io.acaciafs.namespace.op.directory.Rename2;
import io.acaciafs.namespace.op.file.CompleteFile;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.settings.NamespaceSettings;
import io.acaciafs.namespace.testkit.FakeBlocks;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import io.acaciafs.namespace.testkit.TestCompany;
import io.acaciafs.namespace.tree.InodeStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.Block;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many threads on few paths; whatever they did, the rows of all tables agree at the end. */
class NamespaceConcurrencyTest {
  private static final int THREADS = 4;
  private static final int OPERATIONS_OF_ONE_THREAD = 2500;
  private static final List<String> NAMES = List.of("a", "b", "c");

  @TempDir private Path folder;

  @Test
  void memory() throws IOException {
    run(new MemoryStore(), true, 1);
  }

  @Test
  void overSeveralNameNodes() throws IOException {
    run(NamespaceFixture.sharedStore(Faults.none()), true, 3);
  }

  @Test
  void overSeveralNameNodesThatTrustTheirDirectories() throws IOException {
    run(
        NamespaceFixture.sharedStore(Faults.none()),
        NamespaceFixture.settings(4, 0),
        true,
        3,
        new TestCompany(3));
  }

  @Test
  void memoryWithConflicts() throws IOException {
    run(new MemoryStore(Faults.seeded(1, Map.of(Fault.CONFLICT, 0.1))), false, 1);
  }

  @Test
  void rocksDb() throws IOException {
    run(RocksDbStore.open(folder, NamespaceFixture.tables(), RocksDbOptions.defaults()), true, 1);
  }

  @Test
  void directoriesOfFourBuckets() throws IOException {
    run(new MemoryStore(), NamespaceFixture.settingsOfBuckets(4, 0), true, 1, null);
  }

  @Test
  void bucketsThatAreDividedMeanwhile() throws IOException {
    run(new MemoryStore(), NamespaceFixture.settingsOfBuckets(1, 1), true, 1, null);
  }

  @Test
  void bucketsThatSeveralNameNodesDivide() throws IOException {
    run(
        NamespaceFixture.sharedStore(Faults.none()),
        NamespaceFixture.settingsOfBuckets(1, 1),
        true,
        3,
        new TestCompany(3));
  }

  /** Whatever it sees of what others are doing, the check finds nothing, and mends nothing. */
  @Test
  void nothingIsFoundMeanwhile() throws IOException {
    Store store = new MemoryStore();
    try (NamespaceFixture fixture =
        new NamespaceFixture(
            store, NamespaceFixture.settingsOfBuckets(1, 1), new ManualClock(), 1, null)) {
      AtomicInteger writers = new AtomicInteger(THREADS - 1);
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int i = 1; i < THREADS; i++) {
        Random random = new Random(i);
        tasks.add(
            () -> {
              try {
                for (int n = 0; n < OPERATIONS_OF_ONE_THREAD; n++) {
                  tryOne(fixture, random);
                }
              } finally {
                writers.decrementAndGet();
              }
              return null;
            });
      }
      List<String> found = new ArrayList<>();
      tasks.add(
          () -> {
            while (writers.get() > 0) {
              found.addAll(fixture.check(true).texts(true));
            }
            return null;
          });
      Parallel.run(tasks);
      assertThat(found).isEmpty();
      fixture.sweep();
      assertThat(fixture.damage(true)).isEmpty();
      assertThat(FakeBlocks.ids(store)).isEqualTo(blocksBelow(fixture, "/"));
    }
  }

  private static void run(Store store, boolean exactIndexRows, int processes) throws IOException {
    run(store, NamespaceFixture.settings(4, 0), exactIndexRows, processes, null);
  }

  private static void run(
      Store store,
      NamespaceSettings settings,
      boolean exactIndexRows,
      int processes,
      TestCompany company)
      throws IOException {
    try (NamespaceFixture fixture =
        new NamespaceFixture(store, settings, new ManualClock(), processes, company)) {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Random random = new Random(i);
        tasks.add(
            () -> {
              for (int n = 0; n < OPERATIONS_OF_ONE_THREAD; n++) {
                tryOne(fixture, random);
              }
              return null;
            });
      }
      Parallel.run(tasks);
      fixture.sweep();
      assertThat(fixture.damage(exactIndexRows)).isEmpty();
      assertThat(FakeBlocks.ids(store)).isEqualTo(blocksBelow(fixture, "/"));
    }
  }

  static void tryOne(NamespaceFixture fixture, Random random) {
    try {
      one(fixture, random);
    } catch (IOException | InvalidPathException | ConflictException e) {
      // a refusal, or others were always faster: nothing happened
    } catch (HadoopIllegalArgumentException e) {
      throw new AssertionError(e);
    }
  }

  private static void one(NamespaceFixture fixture, Random random) throws IOException {
    String path = path(random);
    switch (random.nextInt(10)) {
      case 0, 1 -> fixture.mkdir(path);
      case 2, 3 -> write(fixture, path, random);
      case 4 -> fixture.run(new Rename(path, path(random)));
      case 5, 6 ->
          fixture.run(new Rename2(path, path(random), EnumSet.of(Options.Rename.OVERWRITE)));
      case 7 -> fixture.run(new Delete(path, random.nextBoolean()));
      case 8 ->
          fixture.run(
              random.nextBoolean()
                  ? new SetTimes(path, random.nextInt(1000), -1)
                  : new SetPermission(path, new FsPermission((short) random.nextInt(0777))));
      default -> {
        BackgroundWork.sweepOnce(fixture.anyNamespace(random));
        BackgroundWork.splitOnce(fixture.anyNamespace(random));
      }
    }
  }

  /** Some files stay open, as their writers give up. */
  private static void write(NamespaceFixture fixture, String path, Random random)
      throws IOException {
    long id =
        fixture
            .run(
                SUPERUSER,
                NamespaceFixture.create(
                    path, 0644, CLIENT, CreateFlag.CREATE, CreateFlag.OVERWRITE))
            .inode()
            .id();
    Block last = null;
    for (int blocks = random.nextInt(3); blocks > 0; blocks--) {
      last =
          fixture
              .run(new AddBlock(path, id, CLIENT, last, FileBlocks.Wishes.NONE))
              .getBlock()
              .getLocalBlock();
      last.setNumBytes(1024);
    }
    if (random.nextInt(4) > 0) {
      fixture.run(new CompleteFile(path, id, CLIENT, last));
    }
  }

  private static String path(Random random) {
    StringBuilder path = new StringBuilder();
    for (int i = random.nextInt(3) + 1; i > 0; i--) {
      path.append('/').append(NAMES.get(random.nextInt(NAMES.size())));
    }
    return path.toString();
  }

  /** By walking, so that an orphan's blocks would be missing. */
  private static Set<Long> blocksBelow(NamespaceFixture fixture, String path) throws IOException {
    Set<Long> blocks = new TreeSet<>();
    byte[] last = new byte[0];
    GetListing.Page page;
    do {
      page = fixture.run(new GetListing(path, last, false));
      for (InodeStatus entry : page.entries()) {
        last = entry.localName();
        if (entry.inode() instanceof FileInode file) {
          file.blocks().forEach(block -> blocks.add(block.id()));
        } else {
          String name = new String(last, StandardCharsets.UTF_8);
          blocks.addAll(blocksBelow(fixture, (path.equals("/") ? "" : path) + "/" + name));
        }
      }
    } while (page.hasMore());
    return blocks;
  }
}
