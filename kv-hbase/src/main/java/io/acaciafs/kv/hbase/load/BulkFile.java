package io.acaciafs.kv.hbase.load;

import io.acaciafs.kv.hbase.schema.Columns;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/** One file of HBase that is being written: rows of one region, in ascending order. */
final class BulkFile {
  private final StoreFileWriter writer;

  /** The first row that is not in the region; null: the region is the last one. */
  private final byte @Nullable [] end;

  BulkFile(StoreFileWriter writer, byte @Nullable [] end) {
    this.writer = writer;
    this.end = end;
  }

  void add(byte[] row, byte[] cell) throws IOException {
    writer.append(
        new KeyValue(row, Columns.DATA, Columns.VALUE, Columns.TIMESTAMP, KeyValue.Type.Put, cell));
  }

  /** Whether a row is in the region that the file is for. */
  boolean isFor(byte[] row) {
    return end == null || Arrays.compareUnsigned(row, end) < 0;
  }

  long bytes() throws IOException {
    return writer.getPos();
  }

  /** Ends the file; HBase can take it from now on. */
  Path close() throws IOException {
    writer.appendFileInfo(HStoreFile.BULKLOAD_TIME_KEY, Bytes.toBytes(System.currentTimeMillis()));
    writer.appendFileInfo(HStoreFile.MAJOR_COMPACTION_KEY, Bytes.toBytes(true));
    writer.appendFileInfo(HStoreFile.EXCLUDE_FROM_MINOR_COMPACTION_KEY, Bytes.toBytes(false));
    writer.appendTrackedTimestampsToMetadata();
    writer.close();
    return writer.getPath();
  }
}
