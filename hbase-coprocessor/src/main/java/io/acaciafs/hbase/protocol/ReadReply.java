package io.acaciafs.hbase.protocol;

import java.util.ArrayList;
import java.util.List;

/** The family {@link Family#DATA} of rows, in the order of their {@link ReadRequest}. Immutable. */
public final class ReadReply {
  private final List<StoredRow> rows;

  /** Keeps the list; it must not change afterwards. */
  public ReadReply(List<StoredRow> rows) {
    this.rows = rows;
  }

  public List<StoredRow> rows() {
    return rows;
  }

  public byte[] encode() {
    MessageOutput output = new MessageOutput();
    output.writeInt(rows.size());
    rows.forEach(row -> row.write(output));
    return output.toByteArray();
  }

  public static ReadReply decode(byte[] message) {
    MessageInput input = new MessageInput(message);
    int count = input.readCount();
    List<StoredRow> rows = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      rows.add(StoredRow.read(input));
    }
    return new ReadReply(rows);
  }
}
