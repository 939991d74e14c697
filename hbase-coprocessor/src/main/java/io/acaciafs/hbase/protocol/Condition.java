package io.acaciafs.hbase.protocol;

import java.util.Arrays;

/** What must hold of one cell of a row. Immutable. */
public final class Condition {
  /** How the operand is compared with the cell's newest value. */
  public enum Kind {
    /** There is no cell, or an empty one; without operand. */
    ABSENT,
    /** The same for cells from timestamp 1 on. */
    ABSENT_FROM_ONE,
    /** The value is the operand. */
    EQUAL,
    /** The value begins with the operand. */
    PREFIX,
    /** The value begins with less than the operand, unsigned. */
    PREFIX_BELOW,
    /** There is no cell, or the value begins with the operand. */
    ABSENT_OR_PREFIX;

    private static final Kind[] ALL = values();
  }

  private static final byte[] NOTHING = {};

  private final byte[] row;
  private final Family family;
  private final byte[] qualifier;
  private final Kind kind;
  private final byte[] operand;

  public Condition(byte[] row, Family family, byte[] qualifier, Kind kind, byte[] operand) {
    this.row = row;
    this.family = family;
    this.qualifier = qualifier;
    this.kind = kind;
    this.operand = operand;
  }

  /** Without an operand. */
  public static Condition of(byte[] row, Family family, byte[] qualifier, Kind kind) {
    return new Condition(row, family, qualifier, kind, NOTHING);
  }

  public byte[] row() {
    return row;
  }

  public Family family() {
    return family;
  }

  public byte[] qualifier() {
    return qualifier;
  }

  public Kind kind() {
    return kind;
  }

  public byte[] operand() {
    return operand;
  }

  /**
   * Whether it holds.
   *
   * @param value of the newest cell
   * @param timestamp the same cell's
   */
  public boolean holds(byte[] value, long timestamp) {
    switch (kind) {
      case ABSENT:
        return value.length == 0;
      case ABSENT_FROM_ONE:
        return timestamp < 1 || value.length == 0;
      case EQUAL:
        return Arrays.equals(value, operand);
      case PREFIX:
      case ABSENT_OR_PREFIX:
        return compareStart(value) == 0;
      default:
        return compareStart(value) < 0;
    }
  }

  /** Whether it holds where there is no cell. */
  public boolean holdsWithoutCell() {
    return kind == Kind.ABSENT || kind == Kind.ABSENT_FROM_ONE || kind == Kind.ABSENT_OR_PREFIX;
  }

  private int compareStart(byte[] value) {
    int length = Math.min(value.length, operand.length);
    return Arrays.compareUnsigned(value, 0, length, operand, 0, operand.length);
  }

  void write(MessageOutput output, Rows.Writer rows) {
    output.writeInt(rows.numberOf(row));
    output.writeByte(family.ordinal());
    output.writeByte(kind.ordinal());
    output.writeBytes(qualifier);
    output.writeBytes(operand);
  }

  static Condition read(MessageInput input, Rows rows) {
    byte[] row = rows.read(input);
    Family family = Family.read(input);
    int kind = input.readByte();
    if (kind < 0 || kind >= Kind.ALL.length) {
      throw new IllegalArgumentException("No condition has the number " + kind);
    }
    return new Condition(row, family, input.readBytes(), Kind.ALL[kind], input.readBytes());
  }
}
