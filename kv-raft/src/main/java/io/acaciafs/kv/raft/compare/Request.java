package io.acaciafs.kv.raft.compare;

import io.acaciafs.kv.KeyRange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a leader asks a member, and how bytes are made of it.
 *
 * <p>Layout: kind (1 byte), comparison (8), and where the kind is of a range the name of the table
 * (as {@link DataOutput#writeUTF}), its first key, the key behind its last one, each behind its
 * length (4; -1: none), and a number (4); big endian.
 *
 * @param id of the comparison
 * @param table of the range; empty for a kind without one
 * @param from its first key
 * @param to the key behind its last one; null: it has no end
 * @param atMost rows
 */
record Request(Kind kind, long id, String table, byte[] from, byte @Nullable [] to, int atMost) {
  private static final byte[] NO_KEY = {};

  /** Of requests; the order is a part of the layout. */
  enum Kind {
    /** Take a view at the mark of a comparison, which will come. */
    EXPECT,
    /** Whether it was taken: a byte, 1 or 0. */
    IS_TAKEN,
    /** The next range from a key on: its end as a key, and its digest. */
    NEXT,
    /** The digest of a range. */
    DIGEST,
    /** The first rows of a range: their number (4 bytes), and of each its key and hash (8). */
    LIST,
    /** The view is needed no more. */
    RELEASE;

    boolean isOfRange() {
      return this == NEXT || this == DIGEST || this == LIST;
    }
  }

  static Request of(Kind kind, long id) {
    return new Request(kind, id, "", NO_KEY, null, 0);
  }

  static Request of(Kind kind, long id, KeyRange range, int atMost) {
    return new Request(kind, id, range.table().name(), range.from(), range.to(), atMost);
  }

  byte[] encode() {
    return encode(
        out -> {
          out.writeByte(kind.ordinal());
          out.writeLong(id);
          if (kind.isOfRange()) {
            out.writeUTF(table);
            writeKey(out, from);
            writeKey(out, to);
            out.writeInt(atMost);
          }
        });
  }

  /**
   * @throws IllegalArgumentException for what no version knows
   */
  static Request decode(byte[] bytes) throws IOException {
    DataInput in = new DataInputStream(new ByteArrayInputStream(bytes));
    int number = in.readUnsignedByte();
    if (number >= Kind.values().length) {
      throw new IllegalArgumentException("Not understood: a request of kind " + number);
    }
    Kind kind = Kind.values()[number];
    long id = in.readLong();
    if (!kind.isOfRange()) {
      return of(kind, id);
    }
    String table = in.readUTF();
    byte[] from = readKey(in);
    byte[] to = readKey(in);
    return new Request(kind, id, table, from == null ? NO_KEY : from, to, in.readInt());
  }

  /** Writes a message. */
  @FunctionalInterface
  interface Writer {
    void write(DataOutput out) throws IOException;
  }

  static byte[] encode(Writer writer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      writer.write(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException("Memory takes all", e);
    }
    return bytes.toByteArray();
  }

  static void writeKey(DataOutput out, byte @Nullable [] key) throws IOException {
    if (key == null) {
      out.writeInt(-1);
    } else {
      out.writeInt(key.length);
      out.write(key);
    }
  }

  static byte @Nullable [] readKey(DataInput in) throws IOException {
    int length = in.readInt();
    if (length < 0) {
      return null;
    }
    byte[] key = new byte[length];
    in.readFully(key);
    return key;
  }

  static byte[] encode(List<RowHash> rows) {
    return encode(
        out -> {
          out.writeInt(rows.size());
          for (RowHash row : rows) {
            writeKey(out, row.key());
            out.writeLong(row.hash());
          }
        });
  }

  static List<RowHash> decodeRows(DataInput in) throws IOException {
    int size = in.readInt();
    List<RowHash> rows = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      byte[] key = readKey(in);
      rows.add(new RowHash(key == null ? NO_KEY : key, in.readLong()));
    }
    return rows;
  }
}
