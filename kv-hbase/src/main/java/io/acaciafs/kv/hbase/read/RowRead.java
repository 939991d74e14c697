package io.acaciafs.kv.hbase.read;

import io.acaciafs.hbase.protocol.StoredRow;
import io.acaciafs.kv.hbase.schema.Columns;
import io.acaciafs.kv.hbase.schema.RowState;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** A row that is to be read. */
class RowRead extends PendingRead {
  private static final ClientProtos.Column DATA =
      ClientProtos.Column.newBuilder()
          .setFamily(UnsafeByteOperations.unsafeWrap(Columns.DATA))
          .build();

  private final CompletableFuture<RowState> state = new CompletableFuture<>();

  RowRead(byte[] row, boolean isOwn, long patienceMs) {
    super(row, isOwn, patienceMs);
  }

  /** Completes with the row, or fails as a request to HBase does. */
  final CompletableFuture<RowState> state() {
    return state;
  }

  @Override
  boolean isDone() {
    return state.isDone();
  }

  /** What of the row is read. */
  ClientProtos.Column column() {
    return DATA;
  }

  /** Whether it reads the data of the row, which the coprocessor answers too. */
  boolean isOfData() {
    return true;
  }

  /** This is what was read, and it is to be believed. */
  void take(Result result) {
    take(() -> RowState.of(result));
  }

  /** The same from the coprocessor. */
  final void take(StoredRow row) {
    take(() -> RowState.of(row));
  }

  private void take(Supplier<RowState> decoded) {
    try {
      state.complete(decoded.get());
    } catch (RuntimeException e) { // only this read fails by a row that makes no sense
      state.completeExceptionally(e);
    }
  }

  @Override
  void fail(Throwable cause) {
    state.completeExceptionally(cause);
  }
}
