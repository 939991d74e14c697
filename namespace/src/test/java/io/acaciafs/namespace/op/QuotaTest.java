package io.acaciafs.namespace.op;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static io.acaciafs.namespace.testkit.NamespaceFixture.CLIENT;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static io.acaciafs.namespace.testkit.NamespaceFixture.create;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namespace.context.FileBlocks;
import io.acaciafs.namespace.op.attribute.SetReplication;
import io.acaciafs.namespace.op.block.AbandonBlock;
import io.acaciafs.namespace.op.block.AddBlock;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.op.directory.Mkdirs;
import io.acaciafs.namespace.op.directory.Rename;
import io.acaciafs.namespace.op.directory.Rename2;
import io.acaciafs.namespace.op.file.CompleteFile;
import io.acaciafs.namespace.op.policy.SetStoragePolicy;
import io.acaciafs.namespace.op.quota.GetContentSummary;
import io.acaciafs.namespace.op.quota.GetQuotaUsage;
import io.acaciafs.namespace.op.quota.SetQuota;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.PathIsNotDirectoryException;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.QuotaByStorageTypeExceededException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

/** Blocks of the fixture's files have 1024 bytes, and three replicas are wanted. */
class QuotaTest extends OperationTest {
  private static final long KEEP = HdfsConstants.QUOTA_DONT_SET;
  private static final long RESET = HdfsConstants.QUOTA_RESET;

  private void limit(String path, long names, long spaceBytes) throws IOException {
    fs.run(new SetQuota(path, names, spaceBytes, null));
  }

  private QuotaUsage usage(String path) throws IOException {
    return fs.run(new GetQuotaUsage(path));
  }

  /** What is counted, which is at all times what a walk finds. */
  private void assertUsed(String path, long names, long spaceBytes) throws IOException {
    QuotaUsage counted = usage(path);
    QuotaUsage walked = fs.run(new GetContentSummary(path));
    assertThat(counted.getFileAndDirectoryCount()).as("names").isEqualTo(names);
    assertThat(counted.getSpaceConsumed()).as("space").isEqualTo(spaceBytes);
    assertThat(walked.getFileAndDirectoryCount()).as("names found").isEqualTo(names);
    assertThat(walked.getSpaceConsumed()).as("space found").isEqualTo(spaceBytes);
  }

  @Test
  void countsWhatIsThereAndWhatComes() throws IOException {
    fs.fileWithBlock("/d/e/f", 100);
    limit("/d", 100, 1_000_000);
    assertUsed("/d", 3, 300);
    fs.mkdir("/d/x/y/z");
    fs.fileWithBlock("/d/x/y/z/f", 10);
    assertUsed("/d", 7, 330);
    assertThat(usage("/d").getQuota()).isEqualTo(100);
    assertThat(usage("/d").getSpaceQuota()).isEqualTo(1_000_000);
    fs.crash();
    assertUsed("/d", 7, 330);
    fs.run(new Delete("/d/x", true));
    assertUsed("/d", 3, 300);
    fs.sweep();
    assertUsed("/d", 3, 300);
  }

  @Test
  void refusesOneNameTooMany() throws IOException {
    fs.mkdir("/d");
    limit("/d", 3, KEEP);
    fs.file("/d/a");
    fs.file("/d/b");
    assertRefused(create("/d/c", 0644, CLIENT, CreateFlag.CREATE))
        .isInstanceOf(NSQuotaExceededException.class)
        .hasMessage(
            "The NameSpace quota (directories and files) of directory /d is exceeded: quota=3"
                + " file count=4");
    assertThat(fs.exists("/d/c")).isFalse();
    fs.run(new Delete("/d/a", false));
    fs.mkdir("/d/c");
    assertUsed("/d", 3, 0);
  }

  @Test
  void overwritingNeedsNoRoom() throws IOException {
    fs.mkdir("/d");
    fs.fileWithBlock("/d/f", 1000);
    limit("/d", 2, 3072);
    fs.run(create("/d/f", 0644, CLIENT, CreateFlag.CREATE, CreateFlag.OVERWRITE));
    assertUsed("/d", 2, 0);
  }

  @Test
  void aBlockThatIsWrittenCountsAsAFullOne() throws IOException {
    fs.mkdir("/d");
    limit("/d", KEEP, 2 * 3072);
    long id = fs.open("/d/f");
    Block first = fs.addBlock("/d/f", id, null);
    assertUsed("/d", 2, 3072);
    first.setNumBytes(1024);
    Block second = fs.addBlock("/d/f", id, first);
    assertUsed("/d", 2, 2 * 3072);
    second.setNumBytes(1);
    fs.run(new CompleteFile("/d/f", id, CLIENT, second));
    assertUsed("/d", 2, 3075);
    long other = fs.open("/d/g");
    assertRefused(new AddBlock("/d/g", other, CLIENT, null, FileBlocks.Wishes.NONE))
        .isInstanceOf(DSQuotaExceededException.class)
        .hasMessageContaining("The DiskSpace quota of /d is exceeded: quota = 6144 B");
    assertUsed("/d", 3, 3075);
  }

  @Test
  void anAbandonedBlockIsGivenBack() throws IOException {
    fs.mkdir("/d");
    limit("/d", KEEP, 3072);
    long id = fs.open("/d/f");
    Block block = fs.addBlock("/d/f", id, null);
    fs.run(new AbandonBlock("/d/f", id, CLIENT, block.getBlockId()));
    assertUsed("/d", 2, 0);
  }

  @Test
  void moreReplicasNeedRoom() throws IOException {
    fs.fileWithBlock("/d/f", 1000);
    limit("/d", KEEP, 4000);
    fs.run(new SetReplication("/d/f", (short) 4));
    assertUsed("/d", 2, 4000);
    assertRefused(new SetReplication("/d/f", (short) 5))
        .isInstanceOf(DSQuotaExceededException.class);
    fs.run(new SetReplication("/d/f", (short) 1));
    assertUsed("/d", 2, 1000);
  }

  @Test
  void renamesMoveWhatIsUsed() throws IOException {
    fs.fileWithBlock("/a/x/f", 100);
    fs.mkdir("/b");
    limit("/a", 10, KEEP);
    limit("/b", 3, 300);
    fs.run(new Rename("/a/x", "/b/x"));
    assertUsed("/a", 1, 0);
    assertUsed("/b", 3, 300);
    fs.run(new Rename("/b/x", "/b/y"));
    fs.file("/a/g");
    assertRefused(new Rename("/a/g", "/b/g")).isInstanceOf(NSQuotaExceededException.class);
    fs.run(new Rename2("/a/g", "/b/y/f", EnumSet.of(Options.Rename.OVERWRITE)));
    assertUsed("/a", 1, 0);
    assertUsed("/b", 3, 0);
    fs.run(new Rename("/b/y", "/y"));
    assertUsed("/b", 1, 0);
  }

  @Test
  void everyDirectoryOnTheWayCounts() throws IOException {
    fs.mkdir("/a/b/c");
    limit("/", 100, KEEP);
    limit("/a", 10, KEEP);
    limit("/a/b", 3, KEEP);
    fs.file("/a/b/c/f");
    assertUsed("/", 5, 0);
    assertUsed("/a", 4, 0);
    assertUsed("/a/b", 3, 0);
    assertRefused(new Mkdirs("/a/b/d", fs.info("/a").inode().attributes().permission(), true))
        .hasMessageContaining("of directory /a/b is exceeded");
    fs.run(new Rename("/a/b", "/b"));
    assertUsed("/a", 1, 0);
    assertUsed("/b", 3, 0);
    assertUsed("/", 5, 0);
    fs.run(new Delete("/b", true));
    assertUsed("/", 2, 0);
    fs.sweep();
    assertThat(fs.rows(NamespaceKeys.QUOTAS)).as("of / and /a").isEqualTo(2);
  }

  @Test
  void typesOfStorageCountWhereAPolicySaysSo() throws IOException {
    fs.mkdir("/d");
    fs.run(new SetStoragePolicy("/d", "ONE_SSD"));
    fs.run(new SetQuota("/d", KEEP, 2048, StorageType.SSD));
    fs.fileWithBlock("/d/f", 1024);
    assertThat(usage("/d").getTypeConsumed(StorageType.SSD)).isEqualTo(1024);
    assertThat(usage("/d").getTypeConsumed(StorageType.DISK)).isEqualTo(2048);
    assertThat(usage("/d").getTypeQuota(StorageType.SSD)).isEqualTo(2048);
    assertThat(usage("/d").getTypeQuota(StorageType.DISK)).isEqualTo(-1);
    fs.fileWithBlock("/d/g", 1024);
    long id = fs.open("/d/h");
    assertRefused(new AddBlock("/d/h", id, CLIENT, null, FileBlocks.Wishes.NONE))
        .isInstanceOf(QuotaByStorageTypeExceededException.class)
        .hasMessage(
            "Quota by storage type : SSD on path : /d is exceeded. quota = 2 KB but space"
                + " consumed = 3 KB");
    fs.run(new Delete("/d/g", false));
    assertThat(usage("/d").getTypeConsumed(StorageType.SSD)).isEqualTo(1024);
    fs.run(new SetQuota("/d", KEEP, RESET, StorageType.SSD));
    assertThat(fs.rows(NamespaceKeys.QUOTAS)).isZero();
  }

  @Test
  void mayBeTakenAwayAndBeTooSmall() throws IOException {
    fs.fileWithBlock("/d/f", 100);
    limit("/d", 1, 1);
    assertUsed("/d", 2, 300);
    assertRefused(create("/d/g", 0644, CLIENT, CreateFlag.CREATE))
        .isInstanceOf(NSQuotaExceededException.class);
    fs.run(new Rename("/d/f", "/d/g"));
    limit("/d", RESET, KEEP);
    fs.file("/d/f");
    limit("/d", KEEP, RESET);
    assertThat(usage("/d").getQuota()).isEqualTo(-1);
    assertThat(fs.rows(NamespaceKeys.QUOTAS)).isZero();
  }

  @Test
  void refuses() throws IOException {
    fs.file("/f");
    fs.mkdir("/d");
    assertRefused(ALICE, new SetQuota("/d", 1, 1, null)).isInstanceOf(AccessControlException.class);
    assertRefused(new SetQuota("/none", 1, 1, null)).isInstanceOf(FileNotFoundException.class);
    assertRefused(new SetQuota("/f", 1, 1, null)).isInstanceOf(PathIsNotDirectoryException.class);
    assertRefused(new SetQuota("/d", -2, 1, null)).isInstanceOf(IllegalArgumentException.class);
    assertRefused(new SetQuota("/d", 1, 1, StorageType.SSD))
        .hasMessageContaining("Failed to set quota by storage type");
  }

  @Test
  void whatComesWhileATreeIsCountedCounts() throws IOException {
    fs.mkdir("/d/e");
    long id = fs.open("/d/e/open");
    Block closed = fs.fileWithBlock("/d/e/closed", 100);
    assertThat(closed).isNotNull();
    fs.runInterleaved(
        SUPERUSER,
        new SetQuota("/d", 100, KEEP, null),
        tree ->
            new Mkdirs("/d/e/new", fs.info("/d").inode().attributes().permission(), true)
                .run(tree));
    assertUsed("/d", 5, 300);
    limit("/d", RESET, RESET);
    fs.runInterleaved(
        SUPERUSER,
        new SetQuota("/d", 100, KEEP, null),
        new SetReplication("/d/e/closed", (short) 1));
    assertUsed("/d", 5, 100);
    limit("/d", RESET, RESET);
    fs.runInterleaved(
        SUPERUSER,
        new SetQuota("/d", 100, KEEP, null),
        new AddBlock("/d/e/open", id, CLIENT, null, FileBlocks.Wishes.NONE));
    assertUsed("/d", 5, 100 + 3072);
    fs.runInterleaved(
        SUPERUSER, new Delete("/d/e", true), create("/d/e/late", 0644, CLIENT, CreateFlag.CREATE));
    assertUsed("/d", 1, 0);
  }

  @Test
  void manyThatCreateAtOnceNeverExceedIt() throws Exception {
    fs.mkdir("/d");
    limit("/d", 21, KEEP);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<CompletableFuture<Boolean>> created = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        String path = "/d/f" + i;
        created.add(CompletableFuture.supplyAsync(() -> tryToCreate(path), threads));
      }
      long successes = 0;
      for (CompletableFuture<Boolean> one : created) {
        successes += one.get(60, TimeUnit.SECONDS) ? 1 : 0;
      }
      assertThat(successes).isEqualTo(20);
    } finally {
      threads.shutdownNow();
    }
    assertUsed("/d", 21, 0);
  }

  @Test
  void ofTwoThatWantTheLastRoomOneGetsIt() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    CyclicBarrier start = new CyclicBarrier(2);
    try {
      for (int round = 0; round < 300; round++) {
        String directory = "/d" + round;
        fs.mkdir(directory);
        limit(directory, 2, KEEP);
        List<CompletableFuture<Boolean>> created = new ArrayList<>();
        for (String name : List.of("/a", "/b")) {
          created.add(
              CompletableFuture.supplyAsync(
                  () -> {
                    await(start);
                    return tryToCreate(directory + name);
                  },
                  threads));
        }
        boolean first = created.get(0).get(60, TimeUnit.SECONDS);
        boolean second = created.get(1).get(60, TimeUnit.SECONDS);
        assertThat(first ^ second).as("round %s", round).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  private boolean tryToCreate(String path) {
    try {
      fs.run(create(path, 0644, CLIENT, CreateFlag.CREATE));
      return true;
    } catch (NSQuotaExceededException e) {
      return false;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
