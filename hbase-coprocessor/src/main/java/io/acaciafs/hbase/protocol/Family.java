package io.acaciafs.hbase.protocol;

import java.nio.charset.StandardCharsets;

/** The column families of a store's table, by their number in messages. */
public enum Family {
  DATA("f"),
  RECORDS("t");

  private static final Family[] ALL = values();

  private final byte[] bytes;

  Family(String name) {
    bytes = name.getBytes(StandardCharsets.US_ASCII);
  }

  /** The name in HBase; not to be changed. */
  public byte[] bytes() {
    return bytes;
  }

  static Family read(MessageInput input) {
    int number = input.readByte();
    if (number < 0 || number >= ALL.length) {
      throw new IllegalArgumentException("No column family has the number " + number);
    }
    return ALL[number];
  }
}
