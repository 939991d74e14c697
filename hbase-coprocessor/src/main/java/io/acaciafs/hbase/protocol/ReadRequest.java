package io.acaciafs.hbase.protocol;

import java.util.List;

/** Rows of one region to read, each at a moment of its own. Immutable. */
public final class ReadRequest {
  private final List<byte[]> rows;

  /** Keeps the list; it must not change afterwards. */
  public ReadRequest(List<byte[]> rows) {
    this.rows = rows;
  }

  public List<byte[]> rows() {
    return rows;
  }

  public byte[] encode() {
    MessageOutput output = new MessageOutput();
    output.writeInt(rows.size());
    rows.forEach(output::writeBytes);
    return output.toByteArray();
  }

  public static ReadRequest decode(byte[] message) {
    return new ReadRequest(Rows.readAll(new MessageInput(message)).all());
  }
}
