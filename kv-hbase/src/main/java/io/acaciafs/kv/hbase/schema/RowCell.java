package io.acaciafs.kv.hbase.schema;

import io.acaciafs.kv.Counters;
import io.acaciafs.kv.StoreException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the cell {@code v} of a row holds. Its first byte is its kind, and the kinds are in an order
 * that conditions use: whatever is below {@link #INTENT} is a row that no transaction has locked.
 *
 * <ul>
 *   <li>{@link Value}: 0; the stamp of the writer, 8 bytes; the value
 *   <li>{@link Base}: 1; {@link Counters} to which the row's other cells are added
 *   <li>{@link Intent}: 2; the transaction, 8 bytes; what it does, 1 byte; the row of its record;
 *       the cell as it was; the value or delta. Each of the three as its length, 4 bytes, -1 for
 *       none, and its bytes
 * </ul>
 */
public sealed interface RowCell {
  byte VALUE = 0;
  byte BASE = 1;
  byte INTENT = 2;

  byte[] encode();

  /** A value, and which transaction wrote it. */
  record Value(long stamp, byte[] value) implements RowCell {
    static final int HEADER_BYTES = 1 + Long.BYTES;

    @Override
    public byte[] encode() {
      return encode(stamp, value);
    }

    /** The cell of a value. */
    public static byte[] encode(long stamp, byte[] value) {
      return ByteBuffer.allocate(HEADER_BYTES + value.length)
          .put(VALUE)
          .putLong(stamp)
          .put(value)
          .array();
    }

    /** What the cell of a value begins with; no other transaction writes the same. */
    static byte[] prefix(long stamp) {
      return ByteBuffer.allocate(HEADER_BYTES).put(VALUE).putLong(stamp).array();
    }
  }

  /** A row of counters; what it holds never changes as long as it is one. */
  record Base(Counters counters) implements RowCell {
    @Override
    public byte[] encode() {
      return encode(counters.encode());
    }

    /**
     * The cell of a row of counters.
     *
     * @param encoded by {@link Counters#encode}
     */
    public static byte[] encode(byte[] encoded) {
      return ByteBuffer.allocate(1 + encoded.length).put(BASE).put(encoded).array();
    }
  }

  /** What a transaction does to a row that it has locked. */
  enum Change {
    PUT,
    DELETE,
    /** Nothing: the row may only not change. */
    KEEP,
    ACCUMULATE
  }

  /**
   * A row that is locked by a transaction.
   *
   * @param record the row with the record of the transaction
   * @param old the cell before, null where there was none
   * @param content the value or the delta, null where there is none
   */
  record Intent(
      long transaction,
      Change change,
      byte[] record,
      byte @Nullable [] old,
      byte @Nullable [] content)
      implements RowCell {
    @Override
    public byte[] encode() {
      int size = 10 + 12 + length(record) + length(old) + length(content);
      ByteBuffer buffer = ByteBuffer.allocate(size);
      buffer.put(INTENT).putLong(transaction).put((byte) change.ordinal());
      write(buffer, record);
      write(buffer, old);
      write(buffer, content);
      return buffer.array();
    }

    static byte[] prefix(long transaction) {
      return ByteBuffer.allocate(9).put(INTENT).putLong(transaction).array();
    }

    private static Intent read(ByteBuffer buffer) {
      long transaction = buffer.getLong();
      Change change = Change.values()[buffer.get()];
      byte[] record = Objects.requireNonNull(bytes(buffer), "a lock names a record");
      return new Intent(transaction, change, record, bytes(buffer), bytes(buffer));
    }

    private static int length(byte @Nullable [] bytes) {
      return bytes == null ? 0 : bytes.length;
    }

    private static void write(ByteBuffer buffer, byte @Nullable [] bytes) {
      buffer.putInt(bytes == null ? -1 : bytes.length);
      if (bytes != null) {
        buffer.put(bytes);
      }
    }

    private static byte @Nullable [] bytes(ByteBuffer buffer) {
      int length = buffer.getInt();
      if (length < 0) {
        return null;
      }
      byte[] bytes = new byte[length];
      buffer.get(bytes);
      return bytes;
    }
  }

  /**
   * @param bytes as {@link #encode} made them; null gives null
   */
  static @Nullable RowCell decode(byte @Nullable [] bytes) {
    if (bytes == null) {
      return null;
    }
    try {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      byte kind = buffer.get();
      return switch (kind) {
        case VALUE ->
            new Value(
                buffer.getLong(), Arrays.copyOfRange(bytes, Value.HEADER_BYTES, bytes.length));
        case BASE -> new Base(Counters.decode(Arrays.copyOfRange(bytes, 1, bytes.length)));
        case INTENT -> Intent.read(buffer);
        default -> throw new StoreException("A row of an unknown kind: " + kind);
      };
    } catch (RuntimeException e) {
      throw new StoreException("A row that makes no sense: " + Arrays.toString(bytes), e);
    }
  }
}
