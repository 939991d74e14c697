package io.acaciafs.namespace.record.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import io.acaciafs.namespace.proto.BlockRecord;
import io.acaciafs.namespace.proto.DirectoryRecord;
import io.acaciafs.namespace.proto.FileRecord;
import io.acaciafs.namespace.proto.InodeRecord;
import io.acaciafs.namespace.proto.QuotaRecord;
import io.acaciafs.namespace.proto.SymlinkRecord;
import io.acaciafs.namespace.proto.UnderConstructionRecord;
import io.acaciafs.namespace.proto.XAttrRecord;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.wire.testkit.DamagedMessages;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Rows read by hand and rows read by the generated classes are the same inodes. */
class PlainInodeTest {
  private static final int ROWS = 20_000;
  private static final int CHANGES_OF_A_ROW = 8;

  /** Knows a name for each number below 128. */
  private static final Reader NAMES =
      new Reader() {
        @Override
        public byte[] get(Key key) {
          int id = ByteBuffer.wrap(key.bytes(), 1, Integer.BYTES).getInt();
          return id < 0 || id > 127 ? null : ("name" + id).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Scan scan(KeyRange range) {
          throw new UnsupportedOperationException();
        }
      };

  private final InodeCodec codec = InodeCodec.forReading(NAMES, new Dictionary());
  private final Random random = new Random(1);
  private final DamagedMessages damage = new DamagedMessages(random);

  @Test
  void rowsMeanTheSameHoweverTheyAreRead() {
    int plain = 0;
    for (int i = 0; i < ROWS; i++) {
      byte[] row = anyInode().toByteArray();
      plain += new PlainInode(true).read(row, 0, row.length) ? 1 : 0;
      assertSame(row);
    }
    assertThat(plain).isBetween(ROWS / 4, ROWS * 3 / 4);
  }

  @Test
  void damagedRowsAreRefusedOrReadAlike() {
    int plain = 0;
    for (int i = 0; i < ROWS; i++) {
      byte[] row = anyInode().toByteArray();
      for (int change = 0; change < CHANGES_OF_A_ROW; change++) {
        byte[] damaged = damage.of(row);
        plain += new PlainInode(true).read(damaged, 0, damaged.length) ? 1 : 0;
        assertSame(damaged);
      }
    }
    assertThat(plain).isGreaterThan(ROWS / 2);
  }

  @Test
  void aRowInTheMiddleOfABufferIsReadAlone() {
    for (int i = 0; i < ROWS; i++) {
      byte[] row = anyInode().toByteArray();
      byte[] buffer = new byte[row.length + random.nextInt(40)];
      random.nextBytes(buffer);
      int offset = random.nextInt(buffer.length - row.length + 1);
      System.arraycopy(row, 0, buffer, offset, row.length);
      assertThat(outcome(() -> codec.decode(buffer, offset, row.length)))
          .isEqualTo(outcome(() -> codec.decodeAny(row, 0, row.length)));
    }
  }

  @Test
  void aPlainFileTellsItsSizesWithoutItsBlocks() {
    PlainInode plain = new PlainInode(false);
    int read = 0;
    for (int i = 0; i < ROWS; i++) {
      byte[] row = anyInode().toByteArray();
      if (plain.read(row, 0, row.length)
          && codec.decodeAny(row, 0, row.length) instanceof FileInode file) {
        read++;
        assertThat(plain.kind()).isEqualTo(PlainInode.Kind.FILE);
        assertThat(plain.blockCount()).isEqualTo(file.blocks().size());
        assertThat(plain.lengthBytes()).isEqualTo(file.lengthBytes());
        assertThat(plain.replication()).isEqualTo(file.replication());
        assertThat(plain.writer()).isEqualTo(file.writer());
        assertThat(plain.lastBlockBytes())
            .isEqualTo(file.lastBlock() == null ? 0 : file.lastBlock().lengthBytes());
      }
    }
    assertThat(read).isGreaterThan(ROWS / 10);
  }

  private void assertSame(byte[] row) {
    assertThat(outcome(() -> codec.decode(row)))
        .isEqualTo(outcome(() -> codec.decodeAny(row, 0, row.length)));
  }

  private interface Decoding {
    Inode run();
  }

  private static Object outcome(Decoding decoding) {
    try {
      return decoding.run();
    } catch (NullPointerException e) {
      return e.getClass(); // the JVM leaves the message out once it has thrown many
    } catch (RuntimeException e) {
      return e.toString();
    }
  }

  private InodeRecord anyInode() {
    InodeRecord.Builder row =
        InodeRecord.newBuilder()
            .setId(anyLong())
            .setOwner(random.nextInt(100))
            .setGroup(random.nextInt(100))
            .setMode(sometimes() ? random.nextInt() : random.nextInt(01777))
            .setModificationTimeMs(anyLong())
            .setAccessTimeDeltaMs(sometimes() ? anyLong() : random.nextInt(100) - 50);
    switch (random.nextInt(8)) {
      case 0 -> row.setDirectory(DirectoryRecord.getDefaultInstance());
      case 1 -> row.setDirectory(DirectoryRecord.newBuilder().setLocator(anyBytes(16)));
      case 2 -> row.setSymlink(SymlinkRecord.newBuilder().setTarget(anyText()));
      case 3 -> row.clearKind();
      default -> row.setFile(anyFile());
    }
    if (sometimes()) {
      row.setStoragePolicy(random.nextInt(300));
    }
    if (sometimes()) {
      row.addAcl(random.nextInt(64) + 64L * random.nextInt(90));
    }
    if (sometimes()) {
      row.addXattrs(XAttrRecord.newBuilder().setName(anyText()).setValue(anyBytes(5)));
    }
    if (sometimes()) {
      row.setQuota(QuotaRecord.newBuilder().setNamespaceLimit(5).putTypeLimitBytes(1, 7));
    }
    return row.build();
  }

  private FileRecord anyFile() {
    FileRecord.Builder file =
        FileRecord.newBuilder()
            .setReplication(random.nextInt(4))
            .setPreferredBlockSizeBytes(anyLong());
    int blocks = sometimes() ? random.nextInt(9) : random.nextInt(2);
    for (int i = 0; i < blocks; i++) {
      file.addBlocks(
          BlockRecord.newBuilder()
              .setId(anyLong())
              .setGenerationStamp(random.nextInt(2_000))
              .setLengthBytes(anyLong()));
    }
    if (sometimes()) {
      file.setUnderConstruction(
          UnderConstructionRecord.newBuilder()
              .setClientName(anyText())
              .setClientMachine("127.0.0.1"));
    }
    return file.build();
  }

  private boolean sometimes() {
    return random.nextInt(8) == 0;
  }

  private long anyLong() {
    return random.nextLong() >>> random.nextInt(64);
  }

  private ByteString anyBytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return ByteString.copyFrom(bytes);
  }

  private String anyText() {
    return random.nextBoolean() ? "text" + random.nextInt() : "t\u00e9xt \ud83d\ude00";
  }
}
