package io.acaciafs.blocks.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.proto.BlockRow;
import io.acaciafs.blocks.proto.RecoveryRow;
import io.acaciafs.blocks.proto.RepairQueue;
import io.acaciafs.blocks.proto.ReportedReplica;
import io.acaciafs.wire.testkit.DamagedMessages;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Rows read by hand and rows read by the generated class are the same blocks. */
class PlainBlockTest {
  private static final int ROWS = 20_000;
  private static final int CHANGES_OF_A_ROW = 8;

  private final Random random = new Random(1);
  private final DamagedMessages damage = new DamagedMessages(random);

  @Test
  void rowsMeanTheSameHoweverTheyAreRead() {
    int plain = 0;
    for (int i = 0; i < ROWS; i++) {
      byte[] row = anyRow().toByteArray();
      plain += PlainBlock.read(row) == null ? 0 : 1;
      assertSame(row);
    }
    assertThat(plain).isBetween(ROWS / 4, ROWS * 3 / 4);
  }

  @Test
  void damagedRowsAreRefusedOrReadAlike() {
    int plain = 0;
    for (int i = 0; i < ROWS; i++) {
      byte[] row = anyRow().toByteArray();
      for (int change = 0; change < CHANGES_OF_A_ROW; change++) {
        byte[] damaged = damage.of(row);
        plain += PlainBlock.read(damaged) == null ? 0 : 1;
        assertSame(damaged);
      }
    }
    assertThat(plain).isGreaterThan(ROWS / 2);
  }

  private static void assertSame(byte[] row) {
    assertThat(outcome(() -> BlockRecord.decode(row)))
        .isEqualTo(outcome(() -> BlockRecord.decodeAny(row)));
  }

  private static Object outcome(Supplier<BlockRecord> decoding) {
    try {
      return decoding.get();
    } catch (RuntimeException e) {
      return e.toString();
    }
  }

  private BlockRow anyRow() {
    BlockRow.Builder row =
        BlockRow.newBuilder()
            .setFileId(anyLong())
            .setGenerationStamp(random.nextInt(5_000))
            .setNumBytes(anyLong())
            .setReplication(random.nextInt(5))
            .setStateValue(random.nextInt(3));
    for (int i = random.nextInt(5); i > 0; i--) {
      row.addStorages(anyStorage());
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      row.addExpected(anyStorage());
    }
    if (sometimes()) {
      row.addReported(ReportedReplica.newBuilder().setStorage(3).setNumBytes(anyLong()));
    }
    if (sometimes()) {
      row.addCorrupt(ReportedReplica.newBuilder().setStorage(3)).addCopying(4).setDeleteHint(1);
    }
    if (sometimes()) {
      row.setQueue(RepairQueue.MISSING).setExpectedUntilMs(anyLong());
    }
    if (sometimes()) {
      row.setIssuedGenerationStamp(6_000).setRecovery(RecoveryRow.newBuilder().setId(6_000));
    }
    return row.build();
  }

  private int anyStorage() {
    return random.nextInt() >>> random.nextInt(32);
  }

  private boolean sometimes() {
    return random.nextInt(8) == 0;
  }

  private long anyLong() {
    return random.nextLong() >>> random.nextInt(64);
  }
}
