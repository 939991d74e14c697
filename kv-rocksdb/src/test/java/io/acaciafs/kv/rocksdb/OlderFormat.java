package io.acaciafs.kv.rocksdb;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.acaciafs.kv.Table;
import io.acaciafs.kv.rocksdb.log.local.LogRecord;
import io.acaciafs.kv.rocksdb.log.local.LogSegment;
import io.acaciafs.kv.rocksdb.memtable.BatchEncoder;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.RocksDB;

/** Folders of format 2, which have a log and no mark. */
final class OlderFormat {
  private OlderFormat() {}

  /** With one row, in the log alone. */
  static void make(Path folder, Table table, byte[] key) throws Exception {
    RocksDbStore.loadLibrary();
    Files.createDirectories(folder);
    int family;
    try (DBOptions options =
            new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
        ColumnFamilyOptions plain = new ColumnFamilyOptions()) {
      List<ColumnFamilyHandle> handles = new ArrayList<>();
      List<ColumnFamilyDescriptor> families =
          List.of(
              new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, plain),
              new ColumnFamilyDescriptor(table.name().getBytes(US_ASCII), plain));
      try (RocksDB db = RocksDB.open(options, folder.toString(), families, handles)) {
        db.put("format".getBytes(US_ASCII), "2".getBytes(US_ASCII));
        family = handles.get(1).getID();
        handles.forEach(ColumnFamilyHandle::close);
      }
    }
    BatchEncoder batch = new BatchEncoder();
    batch.append(family, key, new byte[] {7});
    ByteBuffer record = ByteBuffer.allocate(LogRecord.HEADER_BYTES + batch.sizeBytes());
    LogRecord.put(record, 1, 1, 0, batch.toBuffer());
    Files.write(folder.resolve(LogSegment.nameOf(1)), record.array());
  }
}
