package io.acaciafs.kv.hbase.schema;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The record of a transaction over several regions, which says whether it is committed. */
public final class TransactionRecord {
  /** A record begins with one of these. */
  public static final byte[] UNDER_WAY = {'P'};

  public static final byte[] COMMITTED = {'C'};

  private TransactionRecord() {}

  public static boolean isCommitted(byte[] record) {
    return record[0] == COMMITTED[0];
  }

  /** A record that names the rows that are still to be rolled forward. */
  public static byte[] committed(Iterable<byte[]> rows) {
    int size = 1;
    for (byte[] row : rows) {
      size += 4 + row.length;
    }
    ByteBuffer record = ByteBuffer.allocate(size).put(COMMITTED);
    rows.forEach(row -> record.putInt(row.length).put(row));
    return record.array();
  }

  /** The rows that a committed transaction's record names. */
  public static List<byte[]> rowsOf(byte[] record) {
    ByteBuffer buffer = ByteBuffer.wrap(record, 1, record.length - 1);
    List<byte[]> rows = new ArrayList<>();
    while (buffer.hasRemaining()) {
      byte[] row = new byte[buffer.getInt()];
      buffer.get(row);
      rows.add(row);
    }
    return rows;
  }
}
