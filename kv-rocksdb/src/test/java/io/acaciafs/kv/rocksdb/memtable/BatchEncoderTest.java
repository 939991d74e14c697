package io.acaciafs.kv.rocksdb.memtable;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** The bytes are those that RocksDB makes itself. */
class BatchEncoderTest {
  private static final int FAMILIES = 150; // some numbers take two bytes

  @TempDir private Path folder;

  @Test
  void encodesAsRocksDbDoes() throws RocksDBException {
    List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
    descriptors.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY));
    for (int i = 1; i < FAMILIES; i++) {
      descriptors.add(new ColumnFamilyDescriptor(("family" + i).getBytes()));
    }
    List<ColumnFamilyHandle> families = new ArrayList<>();
    try (DBOptions options =
            new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
        RocksDB db = RocksDB.open(options, folder.toString(), descriptors, families)) {
      compare(families.subList(1, FAMILIES));
      families.forEach(ColumnFamilyHandle::close);
      assertThat(db.isOwningHandle()).isTrue();
    }
  }

  private static void compare(List<ColumnFamilyHandle> families) throws RocksDBException {
    Random random = new Random(7);
    BatchEncoder encoder = new BatchEncoder();
    for (int round = 0; round < 20; round++) {
      encoder.clear();
      List<String> rows = new ArrayList<>();
      try (WriteBatch batch = new WriteBatch()) {
        for (int i = random.nextInt(60); i > 0; i--) {
          ColumnFamilyHandle family = families.get(random.nextInt(families.size()));
          byte[] key = randomBytes(random);
          byte[] value = random.nextInt(3) == 0 ? null : randomBytes(random);
          if (value == null) {
            batch.delete(family, key);
          } else {
            batch.put(family, key, value);
          }
          encoder.append(family.getID(), key, value);
          rows.add(text(family.getID(), key, value));
        }
        assertThat(encoder.toBytes()).isEqualTo(batch.data());
        List<String> read = new ArrayList<>();
        byte[] data = batch.data();
        BatchEncoder.forEachRow(
            data, 0, data.length, row -> read.add(text(row.family(), row.key(), row.value())));
        assertThat(read).isEqualTo(rows);
      }
    }
  }

  private static String text(int family, byte[] key, byte[] value) {
    return family + " " + Arrays.toString(key) + " " + Arrays.toString(value);
  }

  private static byte[] randomBytes(Random random) {
    int[] lengths = {0, 1, 27, 127, 128, 300, 20_000};
    byte[] bytes = new byte[lengths[random.nextInt(lengths.length)]];
    Arrays.fill(bytes, (byte) random.nextInt());
    return bytes;
  }
}
