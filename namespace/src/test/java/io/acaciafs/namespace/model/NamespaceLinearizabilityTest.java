package io.acaciafs.namespace.model;

import static io.acaciafs.namespace.testkit.NamespaceFixture.CLIENT;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.memory.Faults;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.rocksdb.RocksDbOptions;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import io.acaciafs.namespace.op.attribute.SetPermission;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.op.directory.GetFileInfo;
import io.acaciafs.namespace.op.directory.Mkdirs;
import io.acaciafs.namespace.op.directory.Rename;
import io.acaciafs.namespace.op.directory.Rename2;
import io.acaciafs.namespace.settings.NamespaceSettings;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import io.acaciafs.namespace.testkit.TestCompany;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Short histories of a few threads on a few paths are linearizable. */
class NamespaceLinearizabilityTest {
  private static final int HISTORIES = 300;
  private static final List<String> PATHS = List.of("/a", "/b", "/a/b", "/b/a");
  private static final List<String> MANY_IN_ONE = List.of("/a", "/b", "/c", "/d", "/e", "/f");
  private static final Model.User USER = new Model.User("hdfs", true, Set.of());

  @TempDir private Path folder;

  @Test
  void memory() {
    for (int i = 0; i < HISTORIES; i++) {
      check(i, new MemoryStore(), 1);
    }
  }

  @Test
  void overSeveralNameNodes() {
    for (int i = 0; i < HISTORIES; i++) {
      check(i, NamespaceFixture.sharedStore(Faults.none()), 2);
    }
  }

  @Test
  void overSeveralNameNodesThatTrustTheirDirectories() {
    NamespaceSettings settings = NamespaceFixture.settings(4, 0);
    for (int i = 0; i < 2 * HISTORIES; i++) {
      Store store = NamespaceFixture.sharedStore(Faults.none());
      check(i, store, settings, PATHS, 2, new TestCompany(2));
    }
  }

  @Test
  void directoriesOfFourBuckets() {
    for (int i = 0; i < HISTORIES / 3; i++) {
      check(i, new MemoryStore(), NamespaceFixture.settingsOfBuckets(4, 0), PATHS, 1, null);
    }
  }

  @Test
  void bucketsThatAreDividedMeanwhile() {
    for (int i = 0; i < HISTORIES; i++) {
      check(i, new MemoryStore(), NamespaceFixture.settingsOfBuckets(1, 1), MANY_IN_ONE, 1, null);
    }
  }

  @Test
  void bucketsThatSeveralNameNodesDivide() {
    for (int i = 0; i < HISTORIES; i++) {
      Store store = NamespaceFixture.sharedStore(Faults.none());
      check(i, store, NamespaceFixture.settingsOfBuckets(1, 1), MANY_IN_ONE, 2, new TestCompany(2));
    }
  }

  @Test
  void rocksDb() {
    for (int i = 0; i < HISTORIES / 10; i++) {
      Path store = folder.resolve("store" + i);
      check(i, RocksDbStore.open(store, NamespaceFixture.tables(), RocksDbOptions.defaults()), 1);
    }
  }

  private static void check(int seed, Store store, int processes) {
    check(seed, store, NamespaceFixture.settings(4, 0), PATHS, processes, null);
  }

  private static void check(
      int seed,
      Store store,
      NamespaceSettings settings,
      List<String> paths,
      int processes,
      TestCompany company) {
    ManualClock clock = new ManualClock();
    try (NamespaceFixture fixture =
        new NamespaceFixture(store, settings, clock, processes, company)) {
      ConcurrentHistory.check(
          seed, fixture, new Model(clock.millis()), random -> step(random, paths));
    }
  }

  private static Step step(Random random, List<String> paths) {
    String path = paths.get(random.nextInt(paths.size()));
    String other = paths.get(random.nextInt(paths.size()));
    boolean flag = random.nextBoolean();
    return switch (random.nextInt(9)) {
      case 0 ->
          Step.of(
              "mkdirs " + path,
              SUPERUSER,
              new Mkdirs(path, new FsPermission((short) 0755), flag),
              String::valueOf,
              m -> m.tree().mkdirs(USER, path, 0755, flag));
      case 1, 2 ->
          Step.of(
              "create " + path + " " + flag,
              SUPERUSER,
              flag
                  ? NamespaceFixture.create(
                      path, 0644, CLIENT, CreateFlag.CREATE, CreateFlag.OVERWRITE)
                  : NamespaceFixture.create(path, 0644, CLIENT, CreateFlag.CREATE),
              status -> "created",
              m -> m.files().create(USER, path, 0644, CLIENT, flag, true));
      case 3 ->
          Step.of(
              "delete " + path + " " + flag,
              SUPERUSER,
              new Delete(path, flag),
              String::valueOf,
              m -> m.tree().delete(USER, path, flag));
      case 4 ->
          Step.of(
              "rename " + path + " " + other,
              SUPERUSER,
              new Rename(path, other),
              String::valueOf,
              m -> m.tree().rename(USER, path, other));
      case 5 ->
          Step.of(
              "rename2 " + path + " " + other,
              SUPERUSER,
              new Rename2(path, other, EnumSet.of(Options.Rename.OVERWRITE)),
              nothing -> "done",
              m -> m.tree().rename2(USER, path, other, true, false));
      case 6 ->
          Step.of(
              "chmod " + path,
              SUPERUSER,
              new SetPermission(path, new FsPermission((short) (flag ? 0700 : 0777))),
              nothing -> "done",
              m -> m.attributes().setPermission(USER, path, flag ? 0700 : 0777));
      default ->
          Step.of(
              "info " + path,
              SUPERUSER,
              new GetFileInfo(path),
              status -> status == null ? "none" : Rendering.describe(status),
              m -> m.reading().info(USER, path, false));
    };
  }
}
