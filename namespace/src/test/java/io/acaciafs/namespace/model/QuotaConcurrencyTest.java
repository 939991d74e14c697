package io.acaciafs.namespace.model;

import static io.acaciafs.namespace.testkit.NamespaceFixture.CLIENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.memory.Faults;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.rocksdb.RocksDbOptions;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import io.acaciafs.namespace.context.FileBlocks;
import io.acaciafs.namespace.op.block.AddBlock;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.op.quota.GetContentSummary;
import io.acaciafs.namespace.op.quota.GetQuotaUsage;
import io.acaciafs.namespace.op.quota.SetQuota;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many that use a quota at the same time never exceed it, and nobody is refused while there is room
 * for all of them.
 */
class QuotaConcurrencyTest {
  private static final int THREADS = 4;
  private static final int CREATES = 150;
  private static final long BLOCK_SPACE = 3 * 1024;

  @TempDir private Path folder;

  /** What one thread got. */
  private record Result(int done, int refused) {
    private Result plus(Result other) {
      return new Result(done + other.done, refused + other.refused);
    }
  }

  /** Tries to use one more of something. */
  @FunctionalInterface
  private interface Use {
    void run(NamespaceFixture fixture, String file, Random random) throws IOException;
  }

  private static NamespaceFixture memory(long names, long spaceBytes) throws IOException {
    return limited(new MemoryStore(), names, spaceBytes, 1);
  }

  private static NamespaceFixture limited(Store store, long names, long spaceBytes, int processes)
      throws IOException {
    NamespaceFixture fixture =
        new NamespaceFixture(store, NamespaceFixture.settings(4, 0), new ManualClock(), processes);
    fixture.mkdir("/outer/q");
    fixture.run(new SetQuota("/outer", HdfsConstants.QUOTA_DONT_SET, Long.MAX_VALUE - 1, null));
    fixture.run(new SetQuota("/outer/q", names, spaceBytes, null));
    return fixture;
  }

  private static Result atTheSameTime(NamespaceFixture fixture, Use use) throws IOException {
    List<Callable<Result>> tasks = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      String prefix = "/outer/q/" + thread + "-";
      Random random = new Random(thread);
      tasks.add(() -> many(fixture, prefix, random, use));
    }
    Result sum = Parallel.run(tasks).stream().reduce(new Result(0, 0), Result::plus);
    for (String path : List.of("/outer", "/outer/q")) {
      QuotaUsage usage = fixture.run(new GetQuotaUsage(path));
      ContentSummary walked = fixture.run(new GetContentSummary(path));
      assertThat(usage.getFileAndDirectoryCount())
          .isEqualTo(walked.getFileCount() + walked.getDirectoryCount());
      assertThat(usage.getSpaceConsumed()).isEqualTo(walked.getSpaceConsumed());
    }
    return sum;
  }

  private static Result many(NamespaceFixture fixture, String prefix, Random random, Use use)
      throws IOException {
    int done = 0;
    for (int i = 0; i < CREATES; i++) {
      try {
        use.run(fixture, prefix + i, random);
        done++;
      } catch (QuotaExceededException e) {
        // counted as refused
      }
      QuotaUsage usage = fixture.run(new GetQuotaUsage("/outer/q"));
      assertThat(usage.getFileAndDirectoryCount()).isLessThanOrEqualTo(usage.getQuota());
      assertThat(usage.getSpaceConsumed()).isLessThanOrEqualTo(usage.getSpaceQuota());
    }
    return new Result(done, CREATES - done);
  }

  private static void create(NamespaceFixture fixture, String file, Random random)
      throws IOException {
    fixture.open(file);
  }

  private static void write(NamespaceFixture fixture, String file, Random random)
      throws IOException {
    long id = fixture.open(file);
    fixture.run(new AddBlock(file, id, CLIENT, null, FileBlocks.Wishes.NONE));
  }

  @Test
  void allOfTheNamesAreUsedAndNoMore() throws IOException {
    int names = THREADS * CREATES / 2;
    try (NamespaceFixture fixture = memory(1 + names, Long.MAX_VALUE - 1)) {
      Result result = atTheSameTime(fixture, QuotaConcurrencyTest::create);
      assertThat(result).isEqualTo(new Result(names, names));
    }
  }

  @Test
  void severalNameNodesUseAllOfTheNamesAndNoMore() throws IOException {
    int names = THREADS * CREATES / 2;
    try (NamespaceFixture fixture =
        limited(
            NamespaceFixture.sharedStore(Faults.none()), 1 + names, Long.MAX_VALUE - 1, THREADS)) {
      Result result = atTheSameTime(fixture, QuotaConcurrencyTest::create);
      assertThat(result).isEqualTo(new Result(names, names));
    }
  }

  @Test
  void allOfTheSpaceIsUsedAndNoMore() throws IOException {
    int blocks = THREADS * CREATES / 2;
    try (NamespaceFixture fixture = memory(Long.MAX_VALUE - 1, blocks * BLOCK_SPACE)) {
      Result result = atTheSameTime(fixture, QuotaConcurrencyTest::write);
      assertThat(result).isEqualTo(new Result(blocks, blocks));
    }
  }

  @Test
  void nobodyIsRefusedWhileThereIsRoom() throws IOException {
    int all = THREADS * CREATES;
    try (NamespaceFixture fixture =
        limited(
            RocksDbStore.open(folder, NamespaceFixture.tables(), RocksDbOptions.defaults()),
            1 + all,
            all * BLOCK_SPACE,
            1)) {
      assertThat(atTheSameTime(fixture, QuotaConcurrencyTest::write)).isEqualTo(new Result(all, 0));
    }
  }

  /** Each thread gives back before it takes more, so all of them together always find room. */
  @Test
  void whatIsGivenBackCanBeUsedAtOnce() throws IOException {
    try (NamespaceFixture fixture = memory(1 + THREADS, THREADS * BLOCK_SPACE)) {
      Result result =
          atTheSameTime(
              fixture,
              (fs, file, random) -> {
                write(fs, file, random);
                fs.run(new Delete(file, false));
              });
      assertThat(result).isEqualTo(new Result(THREADS * CREATES, 0));
    }
  }
}
