package io.acaciafs.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.namespace.op.directory.Mkdirs;
import io.acaciafs.namespace.op.directory.Rename;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.RowKeyLayout;
import io.acaciafs.namespace.settings.NamespaceSettings;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.Test;

/** Where directories lie in the store. */
class RowKeyLayoutTest {
  private static final FsPermission MODE = new FsPermission((short) 0755);

  @Test
  void withLocalityADirectoryLiesBesideThoseWithTheSameTwoAbove() throws Exception {
    MemoryStore store = new MemoryStore();
    ScheduledExecutorService retries = Executors.newSingleThreadScheduledExecutor();
    ManualClock clock = new ManualClock();
    NamespaceSettings settings = NamespaceFixture.settings(4, 0);
    Namespace.format(
            new TransactionRunner(store, retries, new Random(1)),
            settings,
            RowKeyLayout.LOCALITY,
            clock)
        .join();
    retries.shutdown();
    assertThat(RowKeyLayout.of(store)).isEqualTo(RowKeyLayout.LOCALITY);
    try (NamespaceFixture namespace = new NamespaceFixture(store, settings, clock)) {
      mkdirs(namespace, "/a/b/c/x");
      mkdirs(namespace, "/a/b/d/x");
      mkdirs(namespace, "/e");
      List<Locator> created = directories(store);
      namespace.run(NamespaceFixture.SUPERUSER, new Rename("/a/b", "/e/b"));
      mkdirs(namespace, "/e/b/f/x");
      long a = firstOf(created, 0, 16385, 0);
      long b = firstOf(created, 16385, a, 0);
      long c = firstOf(created, a, b, 0);
      assertThat(firstOf(created, a, b, c)).as("beside c").isPositive();
      assertThat(directories(store)).as("a move changes none").containsAll(created);
      long d = firstOf(created, a, b, c);
      assertThat(firstOf(directories(store), a, b, d)).as("where it was born").isPositive();
    }
  }

  @Test
  void withoutAWordItIsSpread() throws Exception {
    try (NamespaceFixture namespace = new NamespaceFixture()) {
      mkdirs(namespace, "/a/x");
      assertThat(directories((MemoryStore) namespace.store()))
          .allSatisfy(
              locator -> assertThat(locator).isEqualTo(Locator.spread(locator.directoryId())));
    }
    assertThatThrownBy(() -> RowKeyLayout.of("nowhere")).hasMessageContaining("nowhere");
  }

  @Test
  void whoKnowsTheIdsPlacesDirectoriesAsOperationsDo() {
    RowKeyLayout layout = RowKeyLayout.LOCALITY;
    DirectoryInode root = directory(Namespace.ROOT_ID, Locator.spread(Namespace.ROOT_ID));
    DirectoryInode a = directory(20_000, layout.locate(root, 20_000));
    DirectoryInode b = directory(1L << 40 | 30_000, layout.locate(a, 1L << 40 | 30_000));
    assertThat(a.locator()).isEqualTo(layout.locate(0, root.id(), a.id()));
    assertThat(b.locator()).isEqualTo(layout.locate(root.id(), a.id(), b.id()));
    assertThat(layout.locate(b, 40_000)).isEqualTo(layout.locate(a.id(), b.id(), 40_000));
  }

  private static DirectoryInode directory(long id, Locator locator) {
    return new DirectoryInode(id, locator, new Inode.Attributes("o", "g", (short) 0755, 0, 0));
  }

  private static void mkdirs(NamespaceFixture namespace, String path) throws Exception {
    namespace.run(NamespaceFixture.SUPERUSER, new Mkdirs(path, MODE, true));
  }

  /** Of all directories that have entries. */
  private static List<Locator> directories(MemoryStore store) {
    List<Locator> locators = new ArrayList<>();
    try (Scan rows = store.scan(KeyRange.ofTable(NamespaceKeys.ENTRIES))) {
      while (rows.hasNext()) {
        Locator locator = NamespaceKeys.directoryOf(rows.next().key());
        if (!locators.contains(locator)) {
          locators.add(locator);
        }
      }
    }
    return locators;
  }

  /** The id of the first directory that lies below these two, behind another id; else 0. */
  private static long firstOf(List<Locator> locators, long above, long parent, long behind) {
    return locators.stream()
        .filter(
            locator -> {
              ByteBuffer bytes = ByteBuffer.wrap(locator.toBytes());
              return bytes.getInt() == (int) above && bytes.getInt() == (int) parent;
            })
        .mapToLong(Locator::directoryId)
        .filter(id -> id > behind)
        .min()
        .orElse(0);
  }
}
