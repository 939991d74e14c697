package io.acaciafs.namespace.op;

import static io.acaciafs.namespace.testkit.NamespaceFixture.CLIENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namespace.context.FileBlocks;
import io.acaciafs.namespace.op.attribute.SetReplication;
import io.acaciafs.namespace.op.attribute.SetTimes;
import io.acaciafs.namespace.op.attribute.TouchAccessTime;
import io.acaciafs.namespace.op.block.AddBlock;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.op.file.AppendFile;
import io.acaciafs.namespace.op.file.CompleteFile;
import io.acaciafs.namespace.op.file.ConcatFiles;
import io.acaciafs.namespace.op.file.CreateFile;
import io.acaciafs.namespace.op.file.Fsync;
import io.acaciafs.namespace.op.file.TruncateFile;
import io.acaciafs.namespace.op.quota.GetContentSummary;
import io.acaciafs.namespace.op.quota.GetQuotaUsage;
import io.acaciafs.namespace.op.quota.SetQuota;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.run.NamespaceOperation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.Test;

/** No sum overflows, for any numbers of a client. */
class ExtremeNumbersTest extends OperationTest {
  private static final long SEED = Long.getLong("acacia.seed", 20261125);
  private static final int STEPS = 4000;
  private static final int FILES = 4;
  private static final long LARGEST = (1L << 48) - 1;
  private static final long KEEP = HdfsConstants.QUOTA_DONT_SET;

  private static final long[] EXTREMES = {
    Long.MIN_VALUE,
    Long.MIN_VALUE + 1,
    -LARGEST,
    -1,
    0,
    1,
    1023,
    1024,
    1025,
    Integer.MAX_VALUE,
    1L << 32,
    LARGEST - 1,
    LARGEST,
    LARGEST + 1,
    1L << 53,
    1L << 60,
    1L << 62,
    Long.MAX_VALUE - 1,
    Long.MAX_VALUE
  };

  private final Random random = new Random(SEED);

  @Test
  void blockSizeHasHdfsBound() throws IOException {
    for (long tooLarge : new long[] {LARGEST + 1, 1L << 62, Long.MAX_VALUE}) {
      assertRefused(create("/f", (short) 2, tooLarge))
          .isExactlyInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "Illagal value: PREFERRED_BLOCK_SIZE = " + tooLarge + " > MAX = 281474976710655");
      assertThat(fs.exists("/f")).isFalse();
    }
    fs.run(create("/f", (short) 2, LARGEST));
    assertThat(fs.fileAt("/f").preferredBlockSizeBytes()).isEqualTo(LARGEST);
  }

  @Test
  void fileThatWouldBeOverwrittenIsStillThere() throws IOException {
    fs.fileWithBlock("/f", 10);
    assertRefused(
            new CreateFile(
                "/f",
                new FsPermission((short) 0644),
                CLIENT,
                EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE),
                true,
                (short) 2,
                1L << 62))
        .isExactlyInstanceOf(IllegalArgumentException.class);
    assertThat(fs.fileAt("/f").lengthBytes()).isEqualTo(10);
  }

  @Test
  void noBlockGetsALengthThatNoneCanHave() throws IOException {
    long id = fs.open("/f");
    Block block = fs.addBlock("/f", id, null);
    for (long wrong : new long[] {Long.MIN_VALUE, -1, LARGEST + 1, 1L << 62, Long.MAX_VALUE}) {
      Block said = new Block(block.getBlockId(), wrong, block.getGenerationStamp());
      assertRefused(new CompleteFile("/f", id, CLIENT, said)).isInstanceOf(IOException.class);
      assertRefused(new AddBlock("/f", id, CLIENT, said, FileBlocks.Wishes.NONE))
          .isInstanceOf(IOException.class);
      if (wrong > 0) {
        assertRefused(new Fsync("/f", id, CLIENT, wrong)).isInstanceOf(IOException.class);
      }
      assertThat(fs.fileAt("/f").lengthBytes()).isZero();
    }
  }

  /** With HDFS the use turned negative, and then anything fitted into the quota. */
  @Test
  void useThatCannotBeCountedIsRefused() throws IOException {
    fs.mkdir("/d");
    fs.run(new SetQuota("/d", 1_000_000, KEEP, null));
    long before = 0;
    int opened = 0;
    for (; opened < 200; opened++) {
      String file = "/d/f" + opened;
      fs.run(create(file, (short) 512, LARGEST));
      try {
        fs.addBlock(file, fs.fileAt(file).id(), null);
      } catch (DSQuotaExceededException e) {
        break;
      }
      long used = used("/d");
      assertThat(used).isGreaterThan(before);
      before = used;
    }
    assertThat(opened).isBetween(60, 64); // 2^63 / (512 * 2^48), nearly
    fs.run(new Delete("/d/f0", false));
    assertThat(used("/d")).isLessThan(before).isPositive();
  }

  @Test
  void quotaHoldsWhateverIsConcatenatedAndAppended() throws IOException {
    fs.mkdir("/d");
    fs.run(create("/d/target", (short) 2, LARGEST));
    long id = fs.fileAt("/d/target").id();
    Block block = fs.addBlock("/d/target", id, null);
    block.setNumBytes(10);
    fs.run(new CompleteFile("/d/target", id, CLIENT, block));
    fs.fileWithBlock("/d/source", 10);
    fs.run(new SetQuota("/d", KEEP, 1_000_000, null));
    fs.run(new ConcatFiles("/d/target", List.of("/d/source")));
    assertRefused(new AppendFile("/d/target", CLIENT, false))
        .isInstanceOf(DSQuotaExceededException.class);
    assertThat(used("/d")).isEqualTo(2 * 20);
    assertRefused(new SetReplication("/d/target", (short) -1)).isInstanceOf(IOException.class);
  }

  @Test
  void timesOfAnySizeAreKeptAndReadsStillWork() throws IOException {
    fs.file("/f");
    for (long time : EXTREMES) {
      fs.run(new SetTimes("/f", time, time));
      FileInode file = fs.fileAt("/f");
      assertThat(file.attributes().accessTimeMs()).isNotNegative();
      long precisionMs = 3_600_000;
      long nowMs = 1_700_000_000_000L;
      long due = TouchAccessTime.dueInMs(file, precisionMs, nowMs);
      boolean isKnown = file.attributes().accessTimeMs() >= nowMs - precisionMs;
      assertThat(due > 0).isEqualTo(isKnown);
    }
  }

  @Test
  void noSequenceOfCallsTurnsASumNegative() throws IOException {
    fs.mkdir("/d");
    fs.run(new SetQuota("/d", 1_000_000, KEEP, null));
    for (int step = 0; step < STEPS; step++) {
      try {
        step();
      } catch (IOException | IllegalArgumentException | UnsupportedOperationException e) {
        assertThat(e).hasMessageNotContaining("overflow"); // refused: that is fine
      }
      assertSound(step);
    }
  }

  private void step() throws IOException {
    String path = path();
    FileInode file = fs.exists(path) ? fs.fileAt(path) : null;
    switch (random.nextInt(12)) {
      case 0, 1 -> fs.run(create(path, replication(), any()));
      case 2, 3 -> write(path, file);
      case 4 -> fs.run(new Fsync(path, 0, CLIENT, any()));
      case 5 -> fs.run(new SetReplication(path, replication()));
      case 6 -> fs.run(new TruncateFile(path, any(), CLIENT));
      case 7 -> fs.run(new AppendFile(path, CLIENT, random.nextBoolean()));
      case 8 -> fs.run(new ConcatFiles(path, List.of(path())));
      case 9 -> fs.run(new SetQuota("/d", KEEP, any(), null));
      case 10 -> fs.run(new SetTimes(path, any(), any()));
      default -> fs.run(new Delete(path, false));
    }
  }

  /** The last block gets its length, and another follows or the file is closed. */
  private void write(String path, FileInode file) throws IOException {
    if (file == null || !file.isUnderConstruction()) {
      return;
    }
    Block previous = file.lastBlock() == null ? null : file.lastBlock().toBlock();
    if (previous != null) {
      previous.setNumBytes(random.nextBoolean() ? file.preferredBlockSizeBytes() : any());
    }
    if (random.nextBoolean()) {
      fs.addBlock(path, file.id(), previous);
    } else {
      fs.run(new CompleteFile(path, file.id(), CLIENT, previous));
    }
  }

  private void assertSound(int step) throws IOException {
    String where = "step " + step + " of seed " + SEED;
    QuotaUsage counted = fs.run(new GetQuotaUsage("/d"));
    ContentSummary walked = fs.run(new GetContentSummary("/d"));
    assertThat(counted.getSpaceConsumed()).as(where).isEqualTo(walked.getSpaceConsumed());
    assertThat(walked.getSpaceConsumed()).as(where).isNotNegative();
    assertThat(walked.getLength()).as(where).isNotNegative();
    for (int i = 0; i < FILES; i++) {
      if (fs.exists("/d/f" + i)) {
        assertSound(where, fs.fileAt("/d/f" + i));
      }
    }
  }

  private void assertSound(String where, FileInode file) {
    assertThat(file.lengthBytes()).as(where).isNotNegative();
    assertThat(file.preferredBlockSizeBytes()).as(where).isBetween(1L, LARGEST);
    assertThat(file.blocks()).as(where).allMatch(b -> b.lengthBytes() >= 0);
    List<FileBlock> all = new ArrayList<>();
    file.blocksIn(0, Long.MAX_VALUE).forEach(placed -> all.add(placed.block()));
    assertThat(all).as(where).isEqualTo(file.blocks());
    long offset = any() & Long.MAX_VALUE;
    assertThat(file.blocksIn(offset, any() & Long.MAX_VALUE))
        .as(where)
        .allMatch(placed -> placed.offsetBytes() >= 0);
  }

  private long used(String path) throws IOException {
    return fs.run(new GetQuotaUsage(path)).getSpaceConsumed();
  }

  private String path() {
    return "/d/f" + random.nextInt(FILES);
  }

  private long any() {
    return EXTREMES[random.nextInt(EXTREMES.length)];
  }

  private short replication() {
    short[] some = {Short.MIN_VALUE, -1, 0, 1, 2, 3, 511, 512, 513, 2047, 2048, Short.MAX_VALUE};
    return some[random.nextInt(some.length)];
  }

  private static NamespaceOperation<?> create(String path, short replication, long blockSize) {
    return new CreateFile(
        path,
        new FsPermission((short) 0644),
        CLIENT,
        EnumSet.of(CreateFlag.CREATE),
        true,
        replication,
        blockSize);
  }
}
