package io.acaciafs.hbase.protocol;

/** The newest cell of a column. Immutable. */
public final class StoredCell {
  private final byte[] qualifier;
  private final long timestamp;
  private final byte[] value;

  public StoredCell(byte[] qualifier, long timestamp, byte[] value) {
    this.qualifier = qualifier;
    this.timestamp = timestamp;
    this.value = value;
  }

  public byte[] qualifier() {
    return qualifier;
  }

  public long timestamp() {
    return timestamp;
  }

  public byte[] value() {
    return value;
  }

  void write(MessageOutput output) {
    output.writeBytes(qualifier);
    output.writeBytes(value);
  }

  /** Its timestamp is not told to readers, and is 0. */
  static StoredCell read(MessageInput input) {
    return new StoredCell(input.readBytes(), 0, input.readBytes());
  }
}
