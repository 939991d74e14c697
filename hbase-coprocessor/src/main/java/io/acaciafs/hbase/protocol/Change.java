package io.acaciafs.hbase.protocol;

/** A change of one cell of a row. Immutable. */
public final class Change {
  /** What it does. */
  public enum Kind {
    /** Writes the value with the timestamp. A cell with a later timestamp hides it. */
    PUT,
    /** Removes the cell, if its timestamp is not later; without a value. */
    DELETE,
    /** Adds the value, a long, to that of the cell, by HBase's own increment. */
    ADD,
    /** Adds the value, a row of counters, to that of the cell ({@link CounterCell}). */
    ADD_COUNTERS,
    /**
     * Writes the value, and behind it the numbers of the refused transactions, as {@link
     * java.util.BitSet#toByteArray} has them; only in what holds for all.
     */
    PUT_RECEIPT;

    private static final Kind[] ALL = values();
  }

  private final byte[] row;
  private final Kind kind;
  private final Family family;
  private final byte[] qualifier;
  private final long timestamp;
  private final byte[] value;

  public Change(
      byte[] row, Kind kind, Family family, byte[] qualifier, long timestamp, byte[] value) {
    this.row = row;
    this.kind = kind;
    this.family = family;
    this.qualifier = qualifier;
    this.timestamp = timestamp;
    this.value = value;
  }

  public byte[] row() {
    return row;
  }

  public Kind kind() {
    return kind;
  }

  public Family family() {
    return family;
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

  void write(MessageOutput output, Rows.Writer rows) {
    output.writeInt(rows.numberOf(row));
    output.writeByte(kind.ordinal());
    output.writeByte(family.ordinal());
    output.writeBytes(qualifier);
    output.writeLong(timestamp);
    output.writeBytes(value);
  }

  static Change read(MessageInput input, Rows rows) {
    byte[] row = rows.read(input);
    int kind = input.readByte();
    if (kind < 0 || kind >= Kind.ALL.length) {
      throw new IllegalArgumentException("No change has the number " + kind);
    }
    Family family = Family.read(input);
    return new Change(
        row, Kind.ALL[kind], family, input.readBytes(), input.readLong(), input.readBytes());
  }
}
