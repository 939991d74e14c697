package io.acaciafs.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.rocksdb.log.local.LogSegment;
import io.acaciafs.kv.rocksdb.log.local.Manifest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * After files of a store were removed or replaced, the store has all acknowledged commits, or
 * refuses to open and says why.
 */
class MissingFilesTest {
  private static final Table ONE = new Table("one", 2);
  private static final Table TWO = Table.ofSingleRows("two");
  private static final Set<Table> TABLES = Set.of(ONE, TWO);
  private static final int PAGE = 4096;

  @TempDir private Path folder;

  /** As a crash would leave it in the midst of the work, later in the midst, and a stop. */
  private Path early;

  private Path crashed;
  private Path stopped;
  private int committed;
  private int copies;

  @BeforeEach
  void work() throws Exception {
    Path live = folder.resolve("live");
    try (RocksDbStore store = SmallStores.open(live, TABLES)) {
      commit(store, 3_000);
      early = copyOf(live);
      commit(store, 6_000);
      crashed = copyOf(live);
    }
    stopped = live;
  }

  private void commit(RocksDbStore store, int count) throws Exception {
    List<CompletableFuture<Void>> commits = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Transaction transaction = store.begin();
      transaction.put(key(ONE, committed), new byte[500]);
      transaction.put(key(TWO, committed), new byte[500]);
      commits.add(transaction.commit());
      committed++;
    }
    for (CompletableFuture<Void> commit : commits) {
      commit.get(60, TimeUnit.SECONDS);
    }
  }

  private static Key key(Table table, int number) {
    return new Key(table, ByteBuffer.allocate(4).putInt(number).array());
  }

  private Path copyOf(Path source) throws IOException {
    Path copy = folder.resolve("copy-" + copies++);
    CrashCopy.of(source, copy);
    return copy;
  }

  private static List<Path> files(Path where) throws IOException {
    try (Stream<Path> files = Files.list(where)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private interface Harm {
    void to(Path file) throws IOException;
  }

  private static Harm cutTo(long numerator, long denominator, int less) {
    return file -> {
      byte[] whole = Files.readAllBytes(file);
      long left = whole.length * numerator / denominator - less;
      Files.write(file, Arrays.copyOf(whole, (int) Math.max(0, left)));
    };
  }

  private static final List<Harm> DELETED = List.of(Files::delete);
  private static final List<Harm> HARMS =
      List.of(Files::delete, cutTo(0, 1, 0), cutTo(1, 2, 0), cutTo(1, 1, PAGE), cutTo(1, 1, 1));

  /** Opens a folder: nothing is missing, or it says what. */
  private String open(Path where, int expected) {
    try (RocksDbStore store = SmallStores.open(where, TABLES)) {
      for (int number = 0; number < expected; number++) {
        assertThat(store.get(key(ONE, number))).as("row %s", number).isNotNull();
        assertThat(store.get(key(TWO, number))).as("row %s", number).isNotNull();
      }
      return "";
    } catch (StoreException e) {
      assertThat(e).hasMessageContaining(where.toString());
      return e.getMessage();
    }
  }

  private String harm(Path whole, String name, Harm harm) throws IOException {
    Path copy = copyOf(whole);
    harm.to(copy.resolve(name));
    return open(copy, committed);
  }

  /** Tries some of RocksDB's tables as examples of all. */
  private static List<Path> filesToHarm(Path whole) throws IOException {
    List<Path> tables = new ArrayList<>();
    List<Path> chosen = new ArrayList<>();
    for (Path file : files(whole)) {
      (file.toString().endsWith(".sst") ? tables : chosen).add(file);
    }
    chosen.add(tables.get(0));
    chosen.add(tables.get(tables.size() - 1));
    return chosen;
  }

  private void tryAllHarms(Path whole) throws IOException {
    for (Path file : filesToHarm(whole)) {
      String name = file.getFileName().toString();
      for (Harm harm : name.matches("OPTIONS.*|LOG.*|LOCK|IDENTITY") ? DELETED : HARMS) {
        String refusal = harm(whole, name, harm);
        if (!refusal.isEmpty()) {
          assertThat(refusal).as(name).contains("docs/backup.md");
        }
      }
    }
  }

  @Test
  void afterACrash() throws IOException {
    assertThat(open(copyOf(crashed), committed)).isEmpty();
    tryAllHarms(crashed);
  }

  @Test
  void afterAStop() throws IOException {
    assertThat(open(copyOf(stopped), committed)).isEmpty();
    assertThat(files(stopped)).noneMatch(LogSegment::isSegment);
    tryAllHarms(stopped);
  }

  @Test
  void afterACopyThatWasTakenAnew() throws IOException {
    Path backup = folder.resolve("backup");
    try (RocksDbStore store = SmallStores.open(copyOf(crashed), TABLES)) {
      store.checkpoint(backup);
    }
    assertThat(open(copyOf(backup), committed)).isEmpty();
    tryAllHarms(backup);
  }

  @Test
  void eachOlderCopyOfAFile() throws IOException {
    for (Path whole : List.of(crashed, stopped)) {
      for (Path file : filesToHarm(early)) {
        Path copy = copyOf(whole);
        Path replaced = copy.resolve(file.getFileName());
        Files.copy(file, replaced, StandardCopyOption.REPLACE_EXISTING);
        open(copy, committed);
      }
    }
  }

  @Test
  void whatIsMissingIsSaid() throws IOException {
    List<Path> segments = files(crashed).stream().filter(LogSegment::isSegment).toList();
    String newest = segments.get(segments.size() - 1).getFileName().toString();
    assertThat(harm(crashed, newest, Files::delete)).contains("its segment " + newest);
    assertThat(harm(crashed, newest, cutTo(1, 2, 0))).contains("was cut off");
    assertThat(harm(crashed, "MARK", Files::delete)).contains("its file MARK is missing");
    assertThat(harm(crashed, "CURRENT", Files::delete)).contains("its file CURRENT is missing");
    assertThat(harm(crashed, "CURRENT", file -> Files.writeString(file, "")))
        .contains("its file CURRENT is not as it was written");
    Path all = copyOf(crashed);
    for (Path file : files(all)) {
      if (LogSegment.isSegment(file)) {
        Files.delete(file);
      }
    }
    assertThat(open(all, committed)).startsWith("The log is damaged: its segment " + newest);
    for (Path whole : List.of(crashed, stopped)) {
      String manifest = Manifest.in(whole).name();
      assertThat(harm(whole, manifest, Files::delete)).contains(manifest + " is missing");
      assertThat(harm(whole, manifest, cutTo(1, 2, 0))).contains("list of files is " + manifest);
      String table =
          files(whole).stream()
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".sst"))
              .findFirst()
              .orElseThrow();
      assertThat(harm(whole, table, Files::delete)).contains("Cannot open folder", table);
    }
  }

  @Test
  void aFolderOfTheVersionBeforeIsTakenOverAndMarked() throws Exception {
    Path before = folder.resolve("before");
    OlderFormat.make(before, ONE, key(ONE, 0).bytes());
    try (RocksDbStore store = SmallStores.open(before, Set.of(ONE))) {
      assertThat(store.get(key(ONE, 0))).isNotNull();
    }
    Files.delete(before.resolve("MARK"));
    assertThatThrownBy(() -> SmallStores.open(before, Set.of(ONE)))
        .hasMessageContaining("its file MARK is missing");
  }
}
