package io.acaciafs.namespace.context;

import static io.acaciafs.namespace.testkit.NamespaceFixture.CLIENT;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.memory.Faults;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.rocksdb.RocksDbOptions;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import io.acaciafs.namespace.check.BlocksOfStore;
import io.acaciafs.namespace.op.attribute.SetReplication;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.op.directory.GetFileInfo;
import io.acaciafs.namespace.op.directory.GetListing;
import io.acaciafs.namespace.op.directory.GetLocatedFileInfo;
import io.acaciafs.namespace.op.directory.Rename;
import io.acaciafs.namespace.op.file.AppendFile;
import io.acaciafs.namespace.op.file.CompleteFile;
import io.acaciafs.namespace.op.file.ConcatFiles;
import io.acaciafs.namespace.op.file.GetFileToRead;
import io.acaciafs.namespace.op.file.TruncateFile;
import io.acaciafs.namespace.op.quota.GetContentSummary;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.run.ReadOperation;
import io.acaciafs.namespace.testkit.ChangesBetweenReads;
import io.acaciafs.namespace.testkit.FakeBlocks;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import io.acaciafs.namespace.tree.InodeStatus;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.apache.hadoop.fs.CreateFlag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An operation's answer is of one moment despite any change between two of its reads. Checks a page
 * of a listing, counts of a directory, and a file with its blocks.
 */
class OneMomentTest {
  private static final int MOST_READS = 200;
  private static final String DIRECTORY = "/d";

  @TempDir private Path folder;

  private final ChangesBetweenReads changes = new ChangesBetweenReads();

  /** Stores, and how many buckets directories have there. */
  enum Engine {
    ALONE(1),
    ALONE_WITH_BUCKETS(4),
    SPREAD(1),
    SPREAD_WITH_BUCKETS(4),
    ROCKS_DB(1),
    ROCKS_DB_WITH_BUCKETS(4);

    private final int buckets;

    Engine(int buckets) {
      this.buckets = buckets;
    }

    private Store open(Path folder) {
      return switch (this) {
        case ALONE, ALONE_WITH_BUCKETS -> new MemoryStore();
        case SPREAD, SPREAD_WITH_BUCKETS -> NamespaceFixture.sharedStore(Faults.none());
        case ROCKS_DB, ROCKS_DB_WITH_BUCKETS ->
            RocksDbStore.open(folder, NamespaceFixture.tables(), RocksDbOptions.defaults());
      };
    }

    /** A store that shows any moment counts correctly despite any change. */
    private boolean showsMoments() {
      return this != SPREAD && this != SPREAD_WITH_BUCKETS;
    }
  }

  private NamespaceFixture open(Engine engine) {
    return new NamespaceFixture(
        changes.of(engine.open(folder)),
        NamespaceFixture.settingsOfBuckets(engine.buckets, 0),
        new ManualClock());
  }

  @ParameterizedTest
  @EnumSource
  void aRenameIsSeenWholeInAListing(Engine engine) throws IOException {
    try (NamespaceFixture fs = open(engine)) {
      fs.mkdir(DIRECTORY);
      for (String name : List.of("a", "m", "x")) {
        fs.file("/d/" + name);
      }
      Swap swap = new Swap(fs, "/d/a", "/d/z");
      atEachRead(
          swap,
          () -> {
            List<String> before = swap.isThere() ? List.of("m", "x", "z") : List.of("a", "m", "x");
            List<String> page = page(fs);
            List<String> after = swap.isThere() ? List.of("m", "x", "z") : List.of("a", "m", "x");
            assertThat(page).isIn(before, after);
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoSeesASecondFileSeesTheFirst(Engine engine) throws IOException {
    try (NamespaceFixture fs = open(engine)) {
      fs.mkdir(DIRECTORY);
      fs.file("/d/m");
      atEachRead(
          () -> {
            fs.file("/d/a");
            fs.file("/d/z");
          },
          () -> {
            List<String> page = page(fs);
            assertThat(page).contains("m");
            if (page.contains("z")) {
              assertThat(page).contains("a");
            }
            for (String path : List.of("/d/a", "/d/z")) {
              fs.run(new Delete(path, false));
            }
          });
    }
  }

  /** Of an entry that is renamed all the time each listing shows one name. */
  @ParameterizedTest
  @EnumSource
  void anEntryThatMovesAllTheTimeIsSeenOnce(Engine engine) throws IOException {
    try (NamespaceFixture fs = open(engine)) {
      fs.mkdir(DIRECTORY);
      for (String name : List.of("a", "m", "x")) {
        fs.file("/d/" + name);
      }
      Swap swap = new Swap(fs, "/d/a", "/d/z");
      for (int every = 1; every < 40; every++) {
        for (int first = 0; first < every; first++) {
          changes.before(first, every, swap::run);
          List<String> page = page(fs);
          changes.end();
          assertThat(page).isIn(List.of("a", "m", "x"), List.of("m", "x", "z"));
        }
      }
    }
  }

  /** Two files change places among three names all the time: each listing shows both. */
  @ParameterizedTest
  @EnumSource
  void entriesThatTakeEachOthersNamesAreSeenOnce(Engine engine) throws IOException {
    try (NamespaceFixture fs = open(engine)) {
      fs.mkdir(DIRECTORY);
      for (String name : List.of("a", "m", "x")) {
        fs.file("/d/" + name);
      }
      List<String> places = new ArrayList<>(List.of("/d/a", "/d/m", "/d/z"));
      ChangesBetweenReads.Change rotation =
          () -> { // the last one is free
            assertThat(fs.run(new Rename(places.get(0), places.get(2)))).isTrue();
            Collections.rotate(places, -1);
          };
      for (int every = 1; every < 40; every++) {
        for (int first = 0; first < every; first++) {
          changes.before(first, every, rotation);
          List<String> page = page(fs);
          changes.end();
          assertThat(page).contains("x").doesNotHaveDuplicates().hasSize(3);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRenameDoesNotChangeWhatIsCounted(Engine engine) throws IOException {
    try (NamespaceFixture fs = open(engine)) {
      fs.mkdir(DIRECTORY);
      for (String name : List.of("a", "m", "x")) {
        fs.file("/d/" + name);
      }
      Swap swap = new Swap(fs, "/d/a", "/d/z");
      atEachRead(
          swap,
          () -> {
            assertThat(fs.run(new GetContentSummary(DIRECTORY)).getFileCount()).isEqualTo(3);
          });
      atEachRead(
          swap, () -> assertThat(fs.run(new GetFileInfo(DIRECTORY)).children()).isEqualTo(3));
      if (engine.showsMoments()) {
        changes.before(0, 1, swap::run);
        assertThat(fs.run(new GetContentSummary(DIRECTORY)).getFileCount()).isEqualTo(3);
        assertThat(fs.run(new GetFileInfo(DIRECTORY)).children()).isEqualTo(3);
        changes.end();
      }
    }
  }

  /** An entry that is renamed all the time counts once. */
  @ParameterizedTest
  @EnumSource
  void anEntryThatMovesAllTheTimeIsCountedOnce(Engine engine) throws IOException {
    try (NamespaceFixture fs = open(engine)) {
      fs.mkdir(DIRECTORY);
      fs.mkdir("/d/m");
      fs.file("/d/m/f");
      for (String name : List.of("a", "x")) {
        fs.file("/d/" + name);
      }
      for (Swap swap : List.of(new Swap(fs, "/d/a", "/d/z"), new Swap(fs, "/d/m", "/d/another"))) {
        for (int every = 1; every < 40; every++) {
          for (int first = 0; first < every; first++) {
            changes.before(first, every, swap::run);
            var summary = fs.run(new GetContentSummary(DIRECTORY));
            changes.end();
            assertThat(summary.getFileCount()).isEqualTo(3);
            assertThat(summary.getDirectoryCount()).isEqualTo(2);
            changes.before(first, every, swap::run);
            InodeStatus status = fs.run(new GetFileInfo(DIRECTORY));
            changes.end();
            assertThat(status.children()).isEqualTo(3);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFileIsToldWithTheBlocksThatItHasThen(Engine engine) throws IOException {
    try (NamespaceFixture fs = open(engine)) {
      fs.mkdir(DIRECTORY);
      String path = "/d/f";
      List<ChangesBetweenReads.Change> all =
          List.of(
              () -> fs.run(new Delete(path, false)),
              () ->
                  fs.run(
                      NamespaceFixture.create(
                          path, 0644, CLIENT, CreateFlag.CREATE, CreateFlag.OVERWRITE)),
              () -> fs.run(new TruncateFile(path, 10, CLIENT)),
              () -> fs.run(new TruncateFile(path, 1024, CLIENT)),
              () -> fs.run(new AppendFile(path, CLIENT, false)),
              () -> fs.run(new ConcatFiles("/d/e", List.of(path))),
              () -> fs.run(new ConcatFiles(path, List.of("/d/e"))),
              () -> fs.run(new SetReplication(path, (short) 1)),
              () -> {
                fs.run(new Delete(path, false));
                fs.fileWithBlock(path, 512);
              });
      for (ChangesBetweenReads.Change change : all) {
        for (Function<Looked, List<FileInode>> look : everyWayToLook(fs, path)) {
          for (int read = 0; read < MOST_READS; read++) {
            fs.run(new Delete(path, false));
            fs.run(new Delete("/d/e", false));
            fs.fileWithBlock("/d/e", 1024);
            writeTwoBlocks(fs, path);
            changes.before(read, change);
            look.apply(this::assertBlocksAreOf);
            if (!changes.end()) {
              break;
            }
          }
        }
      }
    }
  }

  /** Takes a file, and what reads its blocks. */
  private interface Looked {
    void at(FileInode file, Reader reader);
  }

  private static List<Function<Looked, List<FileInode>>> everyWayToLook(
      NamespaceFixture fs, String path) {
    return List.of(
        looked ->
            look(
                fs,
                new GetFileToRead(path, 0, Long.MAX_VALUE),
                file -> List.<Inode>of(file),
                looked),
        looked ->
            look(
                fs,
                new GetLocatedFileInfo(path, false),
                status -> status == null ? List.<Inode>of() : List.of(status.inode()),
                looked),
        looked ->
            look(
                fs,
                new GetListing(DIRECTORY, new byte[0], true),
                page -> page.entries().stream().map(InodeStatus::inode).toList(),
                looked));
  }

  private static <T> List<FileInode> look(
      NamespaceFixture fs,
      ReadOperation<T> operation,
      Function<T, List<Inode>> inodes,
      Looked looked) {
    List<FileInode> files = new ArrayList<>();
    List<Runnable> checks = new ArrayList<>();
    try {
      fs.namespace()
          .readTracked(
              SUPERUSER,
              operation,
              tracked -> {
                files.clear();
                checks.clear(); // of an attempt that met a conflict
                for (Inode inode : inodes.apply(tracked.value())) {
                  if (inode instanceof FileInode file) {
                    files.add(file);
                    Seen seen = new Seen();
                    file.blocks().forEach(block -> seen.read(tracked.reader(), block));
                    checks.add(() -> looked.at(file, seen));
                  }
                }
                return null;
              })
          .join();
    } catch (CompletionException e) {
      assertThat(e.getCause()).isInstanceOf(FileNotFoundException.class);
      checks.clear();
    }
    checks.forEach(Runnable::run);
    return files;
  }

  /** Rows as they were read. */
  private static final class Seen implements Reader {
    private final Map<Key, byte[]> rows = new HashMap<>();

    private void read(Reader reader, FileBlock block) {
      Key key = FakeBlocks.ofStore().key(block.id());
      rows.put(key, reader.get(key));
    }

    @Override
    public byte[] get(Key key) {
      return rows.get(key);
    }

    @Override
    public Scan scan(KeyRange range) {
      throw new UnsupportedOperationException();
    }
  }

  private void assertBlocksAreOf(FileInode file, Reader reader) {
    for (FileBlock block : file.blocks()) {
      BlocksOfStore.Known known = FakeBlocks.ofStore().read(reader, block.id());
      assertThat(known).isNotNull();
      assertThat(known.fileId()).isEqualTo(file.id());
      assertThat(known.replication()).isEqualTo(file.replication());
      if (!file.isUnderConstruction()) {
        assertThat(known.isCommitted()).isTrue();
        assertThat(known.lengthBytes()).isEqualTo(block.lengthBytes());
      } else if (block != file.lastBlock()) {
        assertThat(known.isCommitted()).isTrue();
      }
    }
  }

  private static void writeTwoBlocks(NamespaceFixture fs, String path) throws IOException {
    long id = fs.open(path);
    var first = fs.addBlock(path, id, null);
    first.setNumBytes(1024);
    var second = fs.addBlock(path, id, first);
    second.setNumBytes(500);
    fs.run(new CompleteFile(path, id, CLIENT, second));
  }

  private interface Check {
    void run() throws IOException;
  }

  private void atEachRead(ChangesBetweenReads.Change change, Check check) throws IOException {
    boolean wasReached = true;
    for (int read = 0; wasReached && read < MOST_READS; read++) {
      changes.before(read, change);
      check.run();
      wasReached = changes.end();
    }
    assertThat(wasReached).as("all reads were tried").isFalse();
  }

  private static List<String> page(NamespaceFixture fs) throws IOException {
    GetListing.Page page = fs.run(new GetListing(DIRECTORY, new byte[0], false));
    return page.entries().stream()
        .map(entry -> new String(entry.localName(), StandardCharsets.UTF_8))
        .toList();
  }

  /** Renames there and back. */
  private static final class Swap implements ChangesBetweenReads.Change {
    private final NamespaceFixture fs;
    private final String here;
    private final String there;
    private boolean isThere;

    private Swap(NamespaceFixture fs, String here, String there) {
      this.fs = fs;
      this.here = here;
      this.there = there;
    }

    private boolean isThere() {
      return isThere;
    }

    @Override
    public void run() throws IOException {
      boolean renamed = fs.run(isThere ? new Rename(there, here) : new Rename(here, there));
      assertThat(renamed).isTrue();
      isThere = !isThere;
    }
  }
}
