package io.acaciafs.kv.hbase.schema;

import io.acaciafs.hbase.protocol.Family;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The columns of the HBase table.
 *
 * <p>Family {@code f}: {@code v} is a {@link RowCell}. {@code n} is a number that every change of a
 * row of counters replaces. {@code s00}, {@code s01} ..., {@code s10} ... are HBase's own counters,
 * which together are sums ({@code SumColumns}). {@code m00}, {@code m01}, {@code m10} ... are
 * maxima, whose timestamp is their value, so that HBase itself keeps the largest. {@code w} and a
 * transaction is a delta of a transaction under way. Its column lies behind all others: HBase keeps
 * what was removed until it writes its memory to disk, and an increment of counters reads over all
 * that lies before them.
 *
 * <p>Family {@code t}: {@code r} and a transaction is its record. In rows of {@code FencingTokens}
 * {@code p} is a token, and {@code q} the number of the last request that required it.
 *
 * <p>Everything but sums and maxima has the timestamp 1, or 0 ({@link #NEW_COUNTERS}): with clocks
 * in it, a clock that goes back would hide what is written. The family's new version behaviour lets
 * the later write win.
 */
public final class Columns {
  public static final byte[] DATA = Family.DATA.bytes();
  public static final byte[] RECORDS = Family.RECORDS.bytes();
  public static final byte[] VALUE = bytes("v");
  static final byte[] CHANGE = bytes("n");
  public static final byte[] TOKEN = bytes("p");
  public static final byte[] RECEIPT = bytes("q");

  /**
   * Of every cell but new counters and those that HBase stamps itself, or whose stamp is their
   * value.
   */
  public static final long TIMESTAMP = 1;

  /** Of {@code v} where it was made without knowing whether there were counters. */
  static final long NEW_COUNTERS = 0;

  /** Covers every cell there is. */
  public static final long ALL_TIMESTAMPS = Long.MAX_VALUE - 1;

  public static final byte SUM = 's';
  static final byte MAXIMUM = 'm';
  static final byte DELTA = 'w';
  public static final byte RECORD = 'r';

  private Columns() {}

  /**
   * @param column of those that the sum has, from 0
   */
  static byte[] sum(int index, int column) {
    return new byte[] {SUM, (byte) index, (byte) column};
  }

  /** A maximum has two columns, for even and for odd values: a timestamp has a bit too few. */
  static byte[] maximum(int index, long value) {
    return new byte[] {MAXIMUM, (byte) index, (byte) (value & 1)};
  }

  /** The timestamp that stands for a maximum; ascends with it. */
  static long timestampOf(long maximum) {
    long timestamp = (maximum ^ Long.MIN_VALUE) >>> 1;
    if (timestamp >= ALL_TIMESTAMPS) {
      throw new IllegalArgumentException("A maximum as large cannot be stored: " + maximum);
    }
    return timestamp;
  }

  static byte[] delta(long transaction) {
    return ByteBuffer.allocate(9).put(DELTA).putLong(transaction).array();
  }

  public static byte[] record(long transaction) {
    return ByteBuffer.allocate(9).put(RECORD).putLong(transaction).array();
  }

  /** The transaction in the name of a column. */
  public static long transactionOf(byte[] qualifier) {
    return ByteBuffer.wrap(qualifier, 1, 8).getLong();
  }

  static boolean is(byte[] qualifier, byte[] column) {
    return Arrays.equals(qualifier, column);
  }

  private static byte[] bytes(String name) {
    return name.getBytes(StandardCharsets.US_ASCII);
  }
}
