package io.acaciafs.kv.rocksdb.log.local;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One batch in the log, and where it lies in a segment. A header of 24 bytes, big endian: the
 * length of the batch (four bytes), a CRC-32C of what follows it and of the segment's number
 * (four), the number of the record, one more than that of the record before (eight), and the number
 * of the last record that was durable when this one was written (eight); then the batch, which is
 * not empty. No batch is empty, so zeros are the end.
 *
 * @param number of the record
 * @param synced records up to this number were durable before
 * @param from where in the segment the batch begins
 * @param to where it ends, and the next record begins
 */
public record LogRecord(long number, long synced, int from, int to) {
  public static final int HEADER_BYTES = 24;
  private static final int CRC_OFFSET = 4;
  private static final int NUMBER_OFFSET = 8;
  private static final int SYNCED_OFFSET = 16;

  /**
   * @param target has room for exactly this record
   * @param segment number of the first record in it: what is left there of another time that the
   *     file was used is no record
   */
  public static void put(
      ByteBuffer target, long segment, long number, long synced, ByteBuffer batch) {
    int begin = target.position();
    target.putInt(batch.remaining()).putInt(0).putLong(number).putLong(synced).put(batch);
    target.putInt(
        begin + CRC_OFFSET, crc(target, begin + NUMBER_OFFSET, target.position(), segment));
  }

  /** The number of the record that begins at an offset, if one does; 0 if none can. */
  static long numberAt(ByteBuffer segment, int offset) {
    if (offset > segment.limit() - HEADER_BYTES) {
      return 0;
    }
    int length = segment.getInt(offset);
    return length > 0 && length <= segment.limit() - HEADER_BYTES - offset
        ? segment.getLong(offset + NUMBER_OFFSET)
        : 0;
  }

  /** Where a record ends that begins at an offset, and is whole. */
  static int endAt(ByteBuffer segment, int offset) {
    return offset + HEADER_BYTES + segment.getInt(offset);
  }

  /** The record at an offset where {@link #numberAt} found one; null when it is not whole. */
  static @Nullable LogRecord read(ByteBuffer segment, int offset, long first) {
    int from = offset + HEADER_BYTES;
    int to = from + segment.getInt(offset);
    return crc(segment, offset + NUMBER_OFFSET, to, first) == segment.getInt(offset + CRC_OFFSET)
        ? new LogRecord(
            segment.getLong(offset + NUMBER_OFFSET),
            segment.getLong(offset + SYNCED_OFFSET),
            from,
            to)
        : null;
  }

  private static int crc(ByteBuffer bytes, int from, int to, long segment) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate().limit(to).position(from));
    crc.update(ByteBuffer.allocate(Long.BYTES).putLong(0, segment));
    return (int) crc.getValue();
  }
}
