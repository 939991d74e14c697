package io.acaciafs.kv.hbase.read;

import io.acaciafs.kv.hbase.schema.Columns;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** A cell beside the data of a row that is to be read, such as the record of a transaction. */
final class RecordRead extends RowRead {
  private final byte[] column;
  private final CompletableFuture<byte[]> record = new CompletableFuture<>();

  RecordRead(byte[] row, byte[] column, long patienceMs) {
    super(row, false, patienceMs);
    this.column = column;
  }

  /** Completes with null where there is none. */
  CompletableFuture<byte[]> record() {
    return record;
  }

  @Override
  boolean isDone() {
    return record.isDone();
  }

  @Override
  ClientProtos.Column column() {
    return ClientProtos.Column.newBuilder()
        .setFamily(UnsafeByteOperations.unsafeWrap(Columns.RECORDS))
        .addQualifier(UnsafeByteOperations.unsafeWrap(column))
        .build();
  }

  @Override
  boolean isOfData() {
    return false;
  }

  @Override
  void take(Result result) {
    record.complete(result.getValue(Columns.RECORDS, column));
  }

  @Override
  void fail(Throwable cause) {
    record.completeExceptionally(cause);
  }
}
