package io.acaciafs.namespace.record.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.namespace.proto.InodeLocationRecord;
import io.acaciafs.namespace.proto.OpenFileRecord;
import io.acaciafs.namespace.proto.RetryRecord;
import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeLocation;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.OpenFile;
import io.acaciafs.namespace.record.RetryEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Rows written by hand have the bytes that the generated classes write. */
class EncodedByHandTest {
  private static final int ROWS = 5_000;

  private final Random random = new Random(1);

  @Test
  void inodes() {
    MemoryStore store = new MemoryStore();
    InodeCodec codec = InodeCodec.in(store.begin(), new Dictionary());
    for (int i = 0; i < ROWS; i++) {
      Inode inode = random.nextBoolean() ? anyFile() : anyDirectory();
      assertThat(codec.encode(inode)).isEqualTo(codec.encodeAny(inode));
    }
  }

  @Test
  void indexRows() {
    for (int i = 0; i < ROWS; i++) {
      byte[] name = new byte[random.nextInt(300)];
      random.nextBytes(name);
      Locator locator = Locator.spread(anyNumber());
      assertThat(new InodeLocation(locator, name).encode())
          .isEqualTo(
              InodeLocationRecord.newBuilder()
                  .setLocator(ByteString.copyFrom(locator.toBytes()))
                  .setName(ByteString.copyFrom(name))
                  .build()
                  .toByteArray());
      String client = anyText();
      boolean recovering = random.nextBoolean();
      assertThat(new OpenFile(client, recovering).encode())
          .isEqualTo(
              OpenFileRecord.newBuilder()
                  .setClientName(client)
                  .setRecovering(recovering)
                  .build()
                  .toByteArray());
      long answer = anyNumber();
      long time = anyNumber();
      assertThat(new RetryEntry(answer, time).encode())
          .isEqualTo(
              RetryRecord.newBuilder().setAnswer(answer).setTimeMs(time).build().toByteArray());
    }
  }

  private FileInode anyFile() {
    List<FileBlock> blocks = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      blocks.add(new FileBlock(anyNumber(), anyNumber(), anyNumber()));
    }
    return new FileInode(
        anyNumber(),
        anyAttributes(),
        (short) random.nextInt(513),
        anyNumber(),
        blocks,
        random.nextBoolean() ? new FileInode.Writer(anyText(), anyText()) : null);
  }

  private DirectoryInode anyDirectory() {
    long id = anyNumber();
    Locator locator = Locator.spread(random.nextBoolean() ? id : id + 1);
    Buckets buckets = random.nextInt(4) == 0 ? Buckets.uniform(4) : Buckets.ONE;
    return new DirectoryInode(id, locator, anyAttributes(), buckets);
  }

  private Inode.Attributes anyAttributes() {
    return new Inode.Attributes(
        "user" + random.nextInt(200),
        "group" + random.nextInt(200),
        (short) random.nextInt(01000 * 2),
        anyNumber(),
        random.nextBoolean() ? 0 : anyNumber());
  }

  /** Of any length. */
  private long anyNumber() {
    return random.nextLong() >>> random.nextInt(Long.SIZE);
  }

  private String anyText() {
    return "n\u00e4me\u20ac".repeat(random.nextInt(60));
  }
}
