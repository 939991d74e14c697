package io.acaciafs.hbase.protocol;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The rows of a message, each of them there once; conditions and changes name its number. */
final class Rows {
  private final List<byte[]> rows;

  private Rows(List<byte[]> rows) {
    this.rows = rows;
  }

  /** Numbers rows in the order in which they come. */
  static final class Writer {
    private final Map<ByteBuffer, Integer> numbers = new HashMap<>();
    private final List<byte[]> rows = new ArrayList<>();

    int numberOf(byte[] row) {
      Integer known = numbers.putIfAbsent(ByteBuffer.wrap(row), rows.size());
      if (known != null) {
        return known;
      }
      rows.add(row);
      return rows.size() - 1;
    }

    void write(MessageOutput output) {
      output.writeInt(rows.size());
      rows.forEach(output::writeBytes);
    }
  }

  static Rows readAll(MessageInput input) {
    int count = input.readCount();
    List<byte[]> rows = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      rows.add(input.readBytes());
    }
    return new Rows(rows);
  }

  byte[] read(MessageInput input) {
    int number = input.readInt();
    if (number < 0 || number >= rows.size()) {
      throw new IllegalArgumentException("The message has no row " + number);
    }
    return rows.get(number);
  }

  List<byte[]> all() {
    return rows;
  }
}
