package io.acaciafs.fsimage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOpCodes;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether an image is the cluster's last word, by what a NameNode has left beside it. */
class ImageNeighboursTest {
  private static final long IMAGE_ENDS = 100;

  @TempDir private Path storage;
  private Path current;
  private Path image;

  @BeforeEach
  void write() throws Exception {
    current = Files.createDirectories(storage.resolve("current"));
    image = new TestImage().transactionId(IMAGE_ENDS).write(current.resolve("fsimage_100"));
  }

  private void check() throws IOException {
    ImageNeighbours.requireNewest(image);
  }

  private void assertTaken() {
    assertThatCode(this::check).doesNotThrowAnyException();
  }

  private AbstractThrowableAssert<?, ?> assertRefused() {
    return assertThatThrownBy(this::check)
        .hasMessageContaining("ends at transaction 100")
        .hasMessageContaining("-safemode enter")
        .hasMessageContaining("-saveNamespace")
        .hasMessageContaining("--old-image");
  }

  /** A segment with one record of each of these kinds. */
  private void segment(String name, long first, FSEditLogOpCodes... kinds) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(HdfsServerConstants.NAMENODE_LAYOUT_VERSION);
    out.writeInt(0); // layout flags
    for (int i = 0; i < kinds.length; i++) {
      out.write(record(kinds[i], first + i));
    }
    byte[] room = new byte[10_000];
    Arrays.fill(room, (byte) -1);
    out.write(room);
    Files.write(current.resolve(name), bytes.toByteArray());
  }

  private static byte[] record(FSEditLogOpCodes kind, long transactionId) throws IOException {
    byte[] body = new byte[kind == FSEditLogOpCodes.OP_SET_GENSTAMP_V2 ? Long.BYTES : 0];
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(kind.getOpCode());
    out.writeInt(Integer.BYTES + Long.BYTES + body.length);
    out.writeLong(transactionId);
    out.write(body);
    CRC32 sum = new CRC32();
    sum.update(bytes.toByteArray());
    out.writeInt((int) sum.getValue());
    return bytes.toByteArray();
  }

  private void seen(long transactionId) throws IOException {
    Files.writeString(current.resolve("seen_txid"), transactionId + "\n");
  }

  @Test
  void takesAnImageAlone() {
    assertTaken();
  }

  @Test
  void takesWhatANameNodeLeavesThatWasKilledAfterTheImage() throws Exception {
    segment("edits_0000000000000000090-0000000000000000100", 90);
    segment("edits_inprogress_0000000000000000101", 101, FSEditLogOpCodes.OP_START_LOG_SEGMENT);
    seen(101);
    Files.createFile(storage.resolve("in_use.lock"));
    assertTaken();
  }

  @Test
  void takesWhatANameNodeLeavesThatWasStartedAgainInBetween() throws Exception {
    segment(
        "edits_101-102",
        101,
        FSEditLogOpCodes.OP_START_LOG_SEGMENT,
        FSEditLogOpCodes.OP_END_LOG_SEGMENT);
    segment("edits_inprogress_103", 103, FSEditLogOpCodes.OP_START_LOG_SEGMENT);
    seen(103);
    assertTaken();
  }

  @Test
  void refusesWhenAnythingWasWrittenSince() throws Exception {
    segment(
        "edits_inprogress_101",
        101,
        FSEditLogOpCodes.OP_START_LOG_SEGMENT,
        FSEditLogOpCodes.OP_SET_GENSTAMP_V2);
    assertRefused().hasMessageContaining("edits_inprogress_101 is OP_SET_GENSTAMP_V2");
  }

  @Test
  void refusesWhenAnEndedSegmentHoldsMore() throws Exception {
    segment(
        "edits_101-103",
        101,
        FSEditLogOpCodes.OP_START_LOG_SEGMENT,
        FSEditLogOpCodes.OP_SET_GENSTAMP_V2,
        FSEditLogOpCodes.OP_END_LOG_SEGMENT);
    assertRefused().hasMessageContaining("transaction 102");
  }

  @Test
  void refusesAnEndedSegmentThatIsCutOff() throws Exception {
    segment("edits_101-103", 101, FSEditLogOpCodes.OP_START_LOG_SEGMENT);
    assertRefused().hasMessageContaining("ends before its time");
  }

  @Test
  void refusesWhenPartOfTheLogIsGone() throws Exception {
    segment("edits_inprogress_150", 150, FSEditLogOpCodes.OP_START_LOG_SEGMENT);
    assertRefused().hasMessageContaining("goes on with transaction 150");
  }

  @Test
  void refusesWhenTheLogIsElsewhereAndHasGoneOn() throws Exception {
    seen(150);
    assertRefused().hasMessageContaining("seen_txid");
  }

  @Test
  void refusesWhatCannotBeRead() throws Exception {
    Files.writeString(current.resolve("edits_inprogress_101"), "no such thing");
    assertRefused().hasMessageContaining("cannot be read");
  }

  @Test
  void refusesAnImageBesideANewerOne() throws Exception {
    Files.createFile(current.resolve("fsimage_0000000000000000222"));
    assertRefused().hasMessageContaining("fsimage_0000000000000000222 is newer");
  }

  @Test
  void refusesTheImageOfARunningNameNode() throws Exception {
    try (FileChannel channel =
            FileChannel.open(
                storage.resolve("in_use.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      assertThat(lock.isValid()).isTrue();
      assertRefused().hasMessageContaining("is running");
    }
    assertTaken();
  }
}
