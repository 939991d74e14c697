package io.acaciafs.namespace.summary;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namespace.op.quota.GetContentSummary;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.run.ReadOperation;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SubtreeCounterTest {
  private static final int THREADS = 3;
  private static final int FILE_BYTES = 100;

  private final NamespaceFixture fs = new NamespaceFixture();
  private final ExecutorService pool = Executors.newFixedThreadPool(THREADS);
  private final Random random = new Random(1);

  @AfterEach
  void stop() {
    pool.shutdownNow();
    fs.close();
  }

  @Test
  void manyThreadsCountEachEntryOnce() throws Exception {
    long files = 0;
    List<String> directories = new ArrayList<>(List.of("/d"));
    fs.mkdir(SUPERUSER, "/d", 0755);
    for (int i = 0; i < 300; i++) {
      String directory = directories.get(random.nextInt(directories.size())) + "/d" + i;
      fs.mkdir(SUPERUSER, directory, 0755);
      directories.add(directory);
    }
    for (int i = 0; i < 300; i++) {
      fs.fileWithBlock(directories.get(random.nextInt(directories.size())) + "/f" + i, FILE_BYTES);
      files++;
    }
    SubtreeCounter counter = fs.namespace().subtreeCounter(pool, THREADS, 10);
    for (int i = 0; i < 20; i++) {
      SubtreeTotals totals = await(counter.count(SUPERUSER, directory("/d")));
      assertThat(totals)
          .isEqualTo(
              new SubtreeTotals(
                  files, directories.size() - 1, files * FILE_BYTES, 3 * files * FILE_BYTES));
    }
    ContentSummary alone = fs.run(new GetContentSummary("/d"));
    assertThat(alone.getFileCount()).isEqualTo(files);
    assertThat(alone.getDirectoryCount()).isEqualTo(directories.size());
  }

  @Test
  void aDirectoryOfMoreEntriesThanASliceIsCountedWhole() throws Exception {
    fs.mkdir(SUPERUSER, "/d", 0755);
    int directories = 2_500;
    for (int i = 0; i < directories; i++) {
      fs.mkdir(SUPERUSER, "/d/" + i, 0755);
    }
    SubtreeCounter counter = fs.namespace().subtreeCounter(pool, THREADS, 1);
    assertThat(await(counter.count(SUPERUSER, directory("/d"))).directories())
        .isEqualTo(directories);
  }

  /** So that slices end in the middle of neighbours that are read together. */
  @Test
  void neighboursOfManyFilesAreCountedOnce() throws Exception {
    fs.mkdir(SUPERUSER, "/d", 0755);
    int directories = 70;
    int files = 400;
    for (int i = 0; i < directories; i++) {
      fs.mkdir(SUPERUSER, "/d/" + i, 0755);
      for (int j = 0; j < files; j++) {
        fs.file("/d/" + i + "/" + j);
      }
    }
    SubtreeCounter counter = fs.namespace().subtreeCounter(pool, THREADS, 1);
    assertThat(await(counter.count(SUPERUSER, directory("/d"))))
        .isEqualTo(new SubtreeTotals((long) directories * files, directories, 0, 0));
  }

  @Test
  void aSmallCountDoesNotWaitForALargeOne() throws Exception {
    fs.mkdir(SUPERUSER, "/large", 0755);
    for (int i = 0; i < 3_000; i++) {
      fs.mkdir(SUPERUSER, "/large/" + i, 0755);
    }
    fs.mkdir(SUPERUSER, "/small", 0755);
    Deque<Runnable> tasks = new ArrayDeque<>();
    SubtreeCounter counter = fs.namespace().subtreeCounter(tasks::add, 1, 2);
    CompletableFuture<SubtreeTotals> large = counter.count(SUPERUSER, directory("/large"));
    CompletableFuture<SubtreeTotals> small = counter.count(SUPERUSER, directory("/small"));
    tasks.remove().run();
    tasks.remove().run();
    assertThat(small).isDone();
    assertThat(large).isNotDone();
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
    assertThat(large.join().directories()).isEqualTo(3_000);
  }

  @Test
  void whatMayNotBeReadIsNotCounted() throws Exception {
    fs.mkdir(SUPERUSER, "/d", 0755);
    fs.mkdir(SUPERUSER, "/d/open", 0755);
    fs.mkdir(SUPERUSER, "/d/open/shut", 0711);
    SubtreeCounter counter = fs.namespace().subtreeCounter(pool, THREADS, 1);
    assertThat(await(counter.count(SUPERUSER, directory("/d"))).directories()).isEqualTo(2);
    for (String path : List.of("/d", "/d/open/shut")) {
      assertThatThrownBy(() -> await(counter.count(ALICE, directory(path))))
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOf(AccessControlException.class)
          .hasMessage(
              "Permission denied: user=alice, access=READ_EXECUTE,"
                  + " inode=\"/d/open/shut\":hdfs:supergroup:drwx--x--x");
    }
  }

  @Test
  void onlySoManyCountsAreUnderWay() throws Exception {
    fs.mkdir(SUPERUSER, "/d", 0755);
    Deque<Runnable> tasks = new ArrayDeque<>();
    SubtreeCounter counter = fs.namespace().subtreeCounter(tasks::add, 1, 2);
    counter.count(SUPERUSER, directory("/d"));
    counter.count(SUPERUSER, directory("/d"));
    assertThatThrownBy(() -> counter.count(SUPERUSER, directory("/d")))
        .isInstanceOf(RejectedExecutionException.class);
    tasks.remove().run();
    assertThat(counter.count(SUPERUSER, directory("/d"))).isNotDone();
  }

  @Test
  void aFailureOfThePoolEndsTheCount() throws Exception {
    fs.mkdir(SUPERUSER, "/d", 0755);
    pool.shutdown();
    assertThat(fs.namespace().subtreeCounter(pool, 1, 1).count(SUPERUSER, directory("/d")))
        .isCompletedExceptionally();
  }

  @Test
  void aWalkThatHoldsTooMuchGoesDownFirst() {
    AtomicLong held = new AtomicLong();
    PendingDirectories pending = new PendingDirectories(held, 4);
    pending.add(locators(1, 2, 3));
    List<Long> order = new ArrayList<>();
    order.add(take(pending));
    pending.add(locators(11, 12, 13));
    assertThat(held).hasValue(5);
    order.add(take(pending));
    assertThat(order.get(1)).isEqualTo(13);
    while (pending.size() > 0) {
      order.add(take(pending));
    }
    assertThat(order).containsExactlyInAnyOrder(1L, 2L, 3L, 11L, 12L, 13L);
    assertThat(pending.take(1)).isEmpty();
    assertThat(held).hasValue(0);
    pending.add(locators(1, 2));
    pending.clear();
    assertThat(held).hasValue(0);
    assertThat(pending.take(1)).isEmpty();
  }

  @Test
  void neighboursAreTakenTogetherInTheOrderOfTheirKeys() {
    PendingDirectories pending = new PendingDirectories(new AtomicLong(), 100);
    List<Locator> all = locators(1, 2, 3);
    pending.add(all);
    List<Locator> taken = new ArrayList<>();
    for (int most : List.of(2, 2)) {
      pending.take(most).forEach(place -> taken.add(place.directory()));
    }
    assertThat(pending.size()).isZero();
    assertThat(taken).hasSize(3).isSorted().containsExactlyInAnyOrderElementsOf(all);
  }

  @Test
  void whatWasNotComeToStaysTogether() {
    AtomicLong held = new AtomicLong();
    PendingDirectories pending = new PendingDirectories(held, 2);
    pending.add(locators(1, 2, 3));
    List<PendingDirectories.Place> deepest = pending.take(2);
    assertThat(deepest)
        .extracting(PendingDirectories.Place::directory)
        .isSorted()
        .containsExactlyInAnyOrderElementsOf(locators(2, 3));
    assertThat(held).hasValue(1);
    pending.addTogether(deepest);
    assertThat(pending.size()).isEqualTo(3);
    pending.take(1); // goes down first
    assertThat(pending.take(1)).isEqualTo(deepest);
    assertThat(pending.size()).isZero();
    assertThat(held).hasValue(0);
  }

  private static long take(PendingDirectories pending) {
    return pending.take(1).get(0).directory().directoryId();
  }

  private static List<Locator> locators(long... ids) {
    List<Locator> locators = new ArrayList<>();
    for (long id : ids) {
      locators.add(Locator.spread(id));
    }
    return locators;
  }

  private DirectoryInode directory(String path) throws IOException {
    return (DirectoryInode)
        fs.run((ReadOperation<Object>) tree -> tree.resolve(path, PathUse.READ).inode());
  }

  private static SubtreeTotals await(CompletableFuture<SubtreeTotals> count) throws Exception {
    return count.get(60, TimeUnit.SECONDS);
  }
}
