package io.acaciafs.kv.raft;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members with the store of another group come to the addresses of one that works. */
class StrangersTest {
  private static final Table TABLE = Table.ofSingleRows("rows");
  private static final String OTHER = "another cluster";

  @TempDir private Path folder;

  private static Key key(int number) {
    return new Key(TABLE, ("row-" + number).getBytes(UTF_8));
  }

  /** Puts rows, and returns the number behind the last one. */
  private static int put(Trio trio, int first, int count) throws Exception {
    for (int i = first; i < first + count; i++) {
      Transaction transaction = trio.member(trio.awaitLeader()).store.begin();
      transaction.put(key(i), new byte[] {1});
      transaction.commit().get(30, TimeUnit.SECONDS);
    }
    return first + count;
  }

  private static void assertHolds(Trio trio, int rows) {
    Store store = trio.member(trio.awaitLeader()).store;
    for (int i = 0; i < rows; i++) {
      assertThat(store.get(key(i))).as("row %d", i).isNotNull();
    }
  }

  /** A leader answers, so that a member with another store does not take part, and says why. */
  private static void assertRefused(Trio trio, String stranger, ThrowingCallable start) {
    assertThatThrownBy(start)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("The store in " + trio.folderOf(stranger) + " and that of nn")
        .hasMessageContaining("which leads, do not belong together")
        .hasMessageContaining("run 'acacia bootstrap'");
  }

  /** The member at these addresses, which has another store, ends, and says why. */
  private void assertEnds(Trio trio, String stranger) {
    Trio.Member member = trio.member(stranger);
    trio.awaitEnd(stranger);
    assertThat(member.failure)
        .hasMessageContaining("The store in " + trio.folderOf(stranger) + " and that of nn")
        .hasMessageContaining("which leads, do not belong together")
        .hasMessageContaining("run 'acacia bootstrap'");
  }

  /** Once its folder is empty, it comes back as one that lost its disk. */
  private static void assertComesBack(Trio trio, String name, int rows) throws Exception {
    trio.bootstrapAgain(name, 30_000);
    int all = put(trio, rows, 1);
    trio.awaitApplied(name, trio.member(trio.awaitLeader()).raft.position());
    trio.end(trio.awaitLeader());
    assertHolds(trio, all);
  }

  @Test
  void aMemberOfAnotherClusterDoesNotStartAndTheOthersGoOn() throws Exception {
    Path foreign = folder.resolve("foreign");
    Trio other = new Trio(foreign, Set.of(TABLE), OTHER);
    try (other) {
      put(other, 0, 5);
      other.awaitEntryInEachLog();
    }
    try (Trio trio = new Trio(folder.resolve("own"), Set.of(TABLE))) {
      int rows = put(trio, 0, 20);
      trio.awaitEntryInEachLog();
      String replaced = trio.follower();
      trio.end(replaced);
      Files.move(trio.folderOf(replaced), folder.resolve("moved"));
      Files.move(foreign.resolve(replaced), trio.folderOf(replaced));
      assertRefused(trio, replaced, () -> trio.start(replaced, OTHER));
      rows = put(trio, rows, 20);
      Files.move(trio.folderOf(replaced), folder.resolve("moved again"));
      assertComesBack(trio, replaced, rows);
    }
  }

  /** It was formatted, and never in a group. */
  @Test
  void aNewFolderOfAnotherClusterIsRefused() throws Exception {
    try (Trio trio = new Trio(folder, Set.of(TABLE))) {
      put(trio, 0, 1);
      String replaced = trio.follower();
      trio.end(replaced);
      Files.move(trio.folderOf(replaced), folder.resolve("moved"));
      Files.createDirectories(trio.folderOf(replaced));
      StoreOrigin.make(trio.folderOf(replaced));
      assertThatThrownBy(() -> trio.requireNewGroup(replaced))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("do not belong together");
    }
  }

  /**
   * It is the first one to start, so nobody answers that could warn it. The log of the others has
   * all that the backup has, and more, and must not be applied to it.
   */
  @Test
  void aMemberWithARestoredStoreEndsAndTheOthersGoOn() throws Exception {
    Path backup = folder.resolve("backup");
    try (Trio trio = new Trio(folder.resolve("own"), Set.of(TABLE))) {
      int rows = put(trio, 0, 20);
      trio.awaitEntryInEachLog();
      trio.member(trio.awaitLeader()).raft.checkpoints().make(backup);
      rows = put(trio, rows, 20);
      String restored = trio.follower();
      trio.endAll();
      Files.move(trio.folderOf(restored), folder.resolve("moved"));
      Files.move(backup, trio.folderOf(restored));
      StoreOrigin.make(trio.folderOf(restored)); // as a restore does
      trio.requireNewGroup(restored);
      for (String name : Trio.NAMES) {
        if (name.equals(restored)) {
          trio.start(name);
        }
      }
      for (String name : Trio.NAMES) {
        if (!name.equals(restored)) {
          trio.start(name);
        }
      }
      rows = put(trio, rows, 20);
      assertThat(trio.member(restored).raft.position()).isZero();
      assertEnds(trio, restored);
      rows = put(trio, rows, 1);
      Files.move(trio.folderOf(restored), folder.resolve("moved again"));
      assertComesBack(trio, restored, rows);
    }
  }

  /** All go back to a backup but one, which has the log of before. */
  @Test
  void aMemberThatWasNotRestoredWithTheOthersDoesNotStart() throws Exception {
    Path backup = folder.resolve("backup");
    Trio before = new Trio(folder.resolve("before"), Set.of(TABLE));
    try (before) {
      put(before, 0, 20);
      before.awaitEntryInEachLog();
      before.member(before.awaitLeader()).raft.checkpoints().make(backup);
      put(before, 20, 20);
    }
    Path own = folder.resolve("own");
    Files.createDirectories(own);
    StoreOrigin.make(backup);
    for (String name : Trio.NAMES) {
      copy(backup, own.resolve(name));
    }
    try (Trio trio = new Trio(own, Set.of(TABLE))) {
      int rows = put(trio, 20, 1);
      trio.awaitEntryInEachLog();
      String old = trio.follower();
      trio.end(old);
      Files.move(own.resolve(old), folder.resolve("moved"));
      Files.move(before.folderOf(old), own.resolve(old));
      assertRefused(trio, old, () -> trio.start(old));
      rows = put(trio, rows, 20);
      assertHolds(trio, rows);
      assertThat(trio.member(trio.awaitLeader()).raft.status().leaders().changes()).isZero();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (var files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }
}
