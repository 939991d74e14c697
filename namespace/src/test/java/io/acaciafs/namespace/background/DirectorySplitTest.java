package io.acaciafs.namespace.background;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static io.acaciafs.namespace.testkit.NamespaceFixture.CLIENT;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static io.acaciafs.namespace.testkit.NamespaceFixture.create;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.namespace.context.CallId;
import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.model.Parallel;
import io.acaciafs.namespace.op.attribute.SetPermission;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.op.directory.Rename;
import io.acaciafs.namespace.op.quota.GetContentSummary;
import io.acaciafs.namespace.op.quota.SetQuota;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.settings.DirectorySettings;
import io.acaciafs.namespace.summary.SubtreeCounter;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import io.acaciafs.namespace.tree.InodeStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Directories that get more buckets while they are in use. */
class DirectorySplitTest {
  private static final int THRESHOLD = 100;

  private final NamespaceFixture fixture =
      new NamespaceFixture(
          new MemoryStore(),
          NamespaceFixture.settings(50, 0).with(new DirectorySettings(1, THRESHOLD)),
          new ManualClock());

  @AfterEach
  void close() {
    fixture.sweep();
    assertThat(fixture.damage(true)).isEmpty();
    fixture.close();
  }

  private int buckets(String path) throws IOException {
    return ((DirectoryInode) fixture.info(path).inode()).buckets().count();
  }

  private static String name(int i) {
    return String.format("f%05d", i);
  }

  private List<String> fill(String path, int from, int to) throws IOException {
    List<String> names = new ArrayList<>();
    for (int i = from; i < to; i++) {
      fixture.file(path + "/" + name(i));
      names.add(name(i));
    }
    return names;
  }

  /** A directory with a bucket that is half divided. */
  private List<String> fillAndBeginToSplit(String path) throws IOException {
    fixture.mkdir(path);
    List<String> names = fill(path, 0, 1200);
    while (buckets(path) == 1) {
      BackgroundWork.splitOnce(fixture.namespace());
    }
    BackgroundWork.splitOnce(fixture.namespace());
    assertThat(fixture.rows(NamespaceKeys.JOBS)).isEqualTo(1);
    return names;
  }

  @Test
  void aDirectoryGrowsByBuckets() throws IOException {
    fixture.mkdir("/d");
    List<String> names = fill("/d", 0, 1000);
    BackgroundWork.split(fixture.namespace());
    assertThat(buckets("/d")).isBetween(1000 / THRESHOLD, 32);
    assertThat(fixture.list("/d")).isEqualTo(names);
    assertThat(fixture.info("/d").children()).isEqualTo(1000);
    assertThat(fixture.rows(NamespaceKeys.JOBS)).isZero();
    for (String name : names) {
      assertThat(fixture.exists("/d/" + name)).isTrue();
    }
  }

  @Test
  void aSmallOneStaysAsItIs() throws IOException {
    fixture.mkdir("/d");
    fill("/d", 0, THRESHOLD);
    BackgroundWork.split(fixture.namespace());
    assertThat(buckets("/d")).isEqualTo(1);
  }

  @Test
  void nothingIsSeenOfIt() throws IOException {
    fixture.mkdir("/d");
    fixture.clock.advanceMs(1000);
    List<String> names = fill("/d", 0, 300);
    long modifiedMs = fixture.info("/d").modificationTimeMs();
    fixture.clock.advanceMs(1000);
    do {
      assertThat(fixture.list("/d")).isEqualTo(names);
      InodeStatus status = fixture.info("/d");
      assertThat(status.children()).isEqualTo(300);
      assertThat(status.modificationTimeMs()).isEqualTo(modifiedMs);
      assertThat(fixture.run(new GetContentSummary("/")).getFileCount()).isEqualTo(300);
    } while (BackgroundWork.splitOnce(fixture.namespace()));
    assertThat(buckets("/d")).isGreaterThan(2);
  }

  @Test
  void everyOperationWorksInTheMiddle() throws IOException {
    List<String> names = fillAndBeginToSplit("/d");
    Random random = new Random(1);
    Set<String> left = new HashSet<>(names);
    for (String name : names) {
      String path = "/d/" + name;
      switch (random.nextInt(6)) {
        case 0 -> {
          fixture.run(new Delete(path, false));
          left.remove(name);
        }
        case 1 -> {
          fixture.run(new Rename(path, path + ".new"));
          left.remove(name);
          left.add(name + ".new");
        }
        case 2 -> {
          fixture.run(new SetPermission(path, new FsPermission((short) 0600)));
          assertThat(fixture.info(path).inode().attributes().mode()).isEqualTo((short) 0600);
        }
        case 3 ->
            assertThatThrownBy(() -> fixture.run(create(path, 0644, CLIENT, CreateFlag.CREATE)))
                .isInstanceOf(FileAlreadyExistsException.class);
        case 4 -> {
          fixture.run(new Delete(path, false));
          fixture.file(path);
        }
        default -> assertThat(fixture.exists(path)).isTrue();
      }
    }
    assertThat(fixture.list("/d")).containsExactlyInAnyOrderElementsOf(left).isSorted();
    assertThat(fixture.info("/d").children()).isEqualTo(left.size());
    BackgroundWork.split(fixture.namespace());
    assertThat(fixture.list("/d")).containsExactlyInAnyOrderElementsOf(left).isSorted();
  }

  @Test
  void whoComesAfterACrashGoesOn() throws IOException {
    List<String> names = fillAndBeginToSplit("/d");
    fixture.crash();
    BackgroundWork.splitOnce(fixture.namespace());
    fixture.crash();
    BackgroundWork.split(fixture.namespace());
    assertThat(fixture.rows(NamespaceKeys.JOBS)).isZero();
    assertThat(buckets("/d")).isGreaterThan(1);
    assertThat(fixture.list("/d")).isEqualTo(names);
  }

  @Test
  void aDirectoryThatMovesMeanwhileIsFound() throws IOException {
    List<String> names = fillAndBeginToSplit("/d");
    fixture.mkdir("/other");
    fixture.run(new Rename("/d", "/other/e"));
    BackgroundWork.split(fixture.namespace());
    assertThat(fixture.rows(NamespaceKeys.JOBS)).isZero();
    assertThat(fixture.list("/other/e")).isEqualTo(names);
  }

  @Test
  void oneThatIsDeletedMeanwhileGoesWhole() throws IOException {
    fixture.mkdir("/above");
    fillAndBeginToSplit("/above/d");
    fixture.run(new Delete("/above", true));
    BackgroundWork.split(fixture.namespace());
    fixture.sweep();
    assertThat(fixture.keys(NamespaceKeys.ENTRIES)).as("the root, and its counters").hasSize(2);
    assertThat(fixture.rows(NamespaceKeys.JOBS)).isZero();
    assertThat(fixture.rows(NamespaceKeys.INODES)).isZero();
  }

  @Test
  void oneThatIsEmptiedMeanwhileCanBeRemoved() throws IOException {
    for (String name : fillAndBeginToSplit("/d")) {
      assertThatThrownBy(() -> fixture.run(new Delete("/d", false)))
          .isInstanceOf(PathIsNotEmptyDirectoryException.class);
      fixture.run(new Delete("/d/" + name, false));
    }
    assertThat(fixture.run(new Delete("/d", false))).isTrue();
    BackgroundWork.split(fixture.namespace());
    fixture.sweep();
    assertThat(fixture.rows(NamespaceKeys.JOBS)).isZero();
  }

  /** The bucket of the entry may be an old one, the new one, or both. */
  @Test
  void aQuotaThatBeginsMeanwhileIsExact() throws IOException {
    fillAndBeginToSplit("/d");
    fixture.run(new SetQuota("/d", 1_300, Long.MAX_VALUE, null));
    BackgroundWork.split(fixture.namespace());
    fill("/d", 2000, 2099);
    assertThatThrownBy(() -> fixture.file("/d/one-more")).hasMessageContaining("quota");
  }

  @Test
  void aRepetitionFindsItsAnswerInTheOldBucket() throws IOException {
    fixture.mkdir("/d");
    fill("/d", 0, 300);
    for (int i = 0; i < 50; i++) {
      assertThat(fixture.run(attempt(i, 0), new Delete("/d/" + name(i), false))).isTrue();
    }
    BackgroundWork.split(fixture.namespace());
    assertThat(buckets("/d")).isGreaterThan(1);
    for (int i = 0; i < 50; i++) {
      assertThat(fixture.run(attempt(i, 1), new Delete("/d/" + name(i), false))).isTrue();
      assertThat(fixture.run(attempt(1000 + i, 0), new Delete("/d/" + name(i), false))).isFalse();
    }
  }

  private static Caller attempt(int callId, int retryCount) {
    byte[] client = "sixteen bytes id".getBytes(StandardCharsets.UTF_8);
    return SUPERUSER.in(new CallId(client, callId, retryCount));
  }

  @Test
  void oneWhoseRightsAreCheckedBelowIsSeenWhole() throws IOException {
    fixture.mkdir(SUPERUSER, "/tmp/top", 0777);
    fixture.run(new SetPermission("/tmp", new FsPermission((short) 0777)));
    List<String> names = fillAndBeginToSplit("/tmp/top/d");
    fixture.run(new SetPermission("/tmp/top/d", new FsPermission((short) 0777)));
    for (String name : names.subList(0, 20)) {
      fixture.mkdir(SUPERUSER, "/tmp/top/d/dir", 0700);
      fixture.file("/tmp/top/d/dir/file");
      String moved = "/tmp/top/d/" + name + ".dir";
      fixture.run(new Rename("/tmp/top/d/dir", moved));
      assertThatThrownBy(() -> fixture.run(ALICE, new Delete("/tmp/top", true)))
          .isInstanceOf(AccessControlException.class);
      fixture.run(new Delete(moved, true));
    }
    assertThat(fixture.run(ALICE, new Delete("/tmp/top", true))).isTrue();
    BackgroundWork.split(fixture.namespace());
  }

  /** Creators, a lister, one who counts, one who asks for names, and the splitter. */
  @Test
  void manyAtTheSameTimeSeeEachEntryOnce() throws Exception {
    int threads = 3;
    int filesOfAThread = 2_000;
    fixture.mkdir("/d");
    List<String> there = fill("/d", 0, 300);
    AtomicBoolean isDone = new AtomicBoolean();
    ExecutorService counting = Executors.newFixedThreadPool(2);
    List<Callable<Integer>> tasks = new ArrayList<>();
    for (int t = 1; t <= threads; t++) {
      int from = t * 10_000;
      tasks.add(
          () -> {
            for (int i = from; i < from + filesOfAThread; i++) {
              fixture.file("/d/" + name(i));
              assertThat(fixture.exists("/d/" + name(i))).isTrue();
              if (i % 3 == 0) {
                fixture.run(new Delete("/d/" + name(i), false));
                assertThat(fixture.exists("/d/" + name(i))).isFalse();
              }
            }
            isDone.set(true);
            return 0;
          });
    }
    tasks.add(
        () -> {
          int splits = 0;
          while (!isDone.get()) {
            try {
              BackgroundWork.splitOnce(fixture.namespace());
              splits++;
            } catch (ConflictException e) {
              // others were always faster
            }
          }
          return splits;
        });
    tasks.add(() -> whileNot(isDone, () -> checkListing(there)));
    SubtreeCounter counter = fixture.namespace().subtreeCounter(counting, 2, 4);
    tasks.add(() -> whileNot(isDone, () -> checkCount(counter)));
    try {
      Parallel.run(tasks);
    } finally {
      counting.shutdownNow();
    }
    BackgroundWork.split(fixture.namespace());
    assertThat(buckets("/d")).isGreaterThan(8);
    int deleted = 0;
    for (int i = 10_000; i < 10_000 + filesOfAThread; i++) {
      deleted += i % 3 == 0 ? 1 : 0;
    }
    assertThat(fixture.list("/d"))
        .hasSizeBetween(
            300 + threads * (filesOfAThread - deleted - 1),
            300 + threads * (filesOfAThread - deleted + 1));
  }

  private static int whileNot(AtomicBoolean isDone, Callable<Void> check) throws Exception {
    int checks = 0;
    while (!isDone.get()) {
      check.call();
      checks++;
    }
    return checks;
  }

  private Void checkListing(List<String> there) throws IOException {
    List<String> listed = fixture.list("/d");
    assertThat(listed).isSorted().doesNotHaveDuplicates().containsAll(there);
    return null;
  }

  /** What comes and goes is counted or not; what is there all the time is. */
  private Void checkCount(SubtreeCounter counter) throws Exception {
    int before = fixture.info("/d").children();
    DirectoryInode root =
        (DirectoryInode) fixture.run(tree -> tree.resolve("/", PathUse.READ).inode());
    long counted = counter.count(SUPERUSER, root).get(60, TimeUnit.SECONDS).files();
    assertThat(counted).isBetween(300L, before + 7_000L);
    return null;
  }
}
