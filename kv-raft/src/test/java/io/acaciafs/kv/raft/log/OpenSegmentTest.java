package io.acaciafs.kv.raft.log;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenSegmentTest {
  private static final long FIRST = 7;
  private static final int PADDING = 1_000;

  @TempDir private Path folder;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final List<Integer> ends = new ArrayList<>();
  private Path file;

  @BeforeEach
  void begin() throws IOException {
    Path current = Files.createDirectories(folder.resolve("group").resolve("current"));
    file = current.resolve("log_inprogress_" + FIRST);
    bytes.writeBytes("RaftLog1".getBytes(US_ASCII));
  }

  /** As Ratis writes them. */
  private void entries(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      ByteArrayOutputStream entry = new ByteArrayOutputStream();
      LogEntryProto.newBuilder()
          .setTerm(3)
          .setIndex(FIRST + ends.size())
          .setStateMachineLogEntry(
              StateMachineLogEntryProto.newBuilder()
                  .setLogData(ByteString.copyFrom(data(100 + ends.size()))))
          .build()
          .writeDelimitedTo(entry);
      CRC32C crc = new CRC32C();
      crc.update(entry.toByteArray());
      new DataOutputStream(entry).writeInt((int) crc.getValue());
      bytes.writeBytes(entry.toByteArray());
      ends.add(bytes.size());
    }
  }

  private static byte[] data(int length) {
    byte[] data = new byte[length];
    Arrays.fill(data, (byte) 5);
    return data;
  }

  private byte[] padded() {
    return Arrays.copyOf(bytes.toByteArray(), bytes.size() + PADDING);
  }

  private byte[] withZeros(int from, int to) {
    byte[] torn = padded();
    Arrays.fill(torn, from, to, (byte) 0);
    return torn;
  }

  private byte[] upTo(int entries) {
    return Arrays.copyOf(bytes.toByteArray(), ends.get(entries - 1));
  }

  private void repair(byte[] found) throws IOException {
    repair(found, -1);
  }

  private void repair(byte[] found, long inFiles) throws IOException {
    Files.write(file, found);
    OpenSegment.repair(folder, inFiles);
  }

  @Test
  void whatIsWholeStays() throws Exception {
    entries(5);
    repair(padded());
    assertThat(file).hasBinaryContent(upTo(5));
    repair(upTo(5));
    assertThat(file).hasBinaryContent(upTo(5));
  }

  @Test
  void anEntryThatWasNotWrittenToItsEndIsLeftOut() throws Exception {
    entries(5);
    repair(withZeros(ends.get(3) + 50, ends.get(4)));
    assertThat(file).hasBinaryContent(upTo(4));
    repair(Arrays.copyOf(bytes.toByteArray(), ends.get(3) + 50));
    assertThat(file).hasBinaryContent(upTo(4));
  }

  /** Disks write in any order. */
  @Test
  void entriesBehindOneThatIsMissingAreLeftOut() throws Exception {
    entries(128);
    repair(withZeros(ends.get(0) + 10, ends.get(1) - 10));
    assertThat(file).hasBinaryContent(upTo(1));
    repair(withZeros(ends.get(0), ends.get(3)));
    assertThat(file).hasBinaryContent(upTo(1));
  }

  /** Ratis had synced it before it wrote so much more. */
  @Test
  void whatWasSyncedIsNotLeftOut() throws Exception {
    entries(130);
    byte[] damaged = withZeros(ends.get(0) + 10, ends.get(0) + 20);
    assertThatThrownBy(() -> repair(damaged))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(file.toString(), "damaged at entry 8,", "are whole behind it");
    assertThat(file).hasBinaryContent(damaged);
  }

  @Test
  void whatTheStoreHoldsIsNotLeftOut() throws Exception {
    entries(5);
    byte[] damaged = withZeros(ends.get(3) + 10, ends.get(3) + 20);
    assertThatThrownBy(() -> repair(damaged, FIRST + 4))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("damaged at entry 11,", "up to entry 11", "acacia bootstrap");
    assertThat(file).hasBinaryContent(damaged);
    repair(damaged, FIRST + 3);
    assertThat(file).hasBinaryContent(upTo(4));
  }

  @Test
  void aFileThatWasJustBegunGoes() throws Exception {
    repair(Arrays.copyOf("Raft".getBytes(US_ASCII), PADDING));
    assertThat(file).doesNotExist();
    repair(new byte[0]);
    assertThat(file).doesNotExist();
  }
}
