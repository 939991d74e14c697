package io.acaciafs.blocks;

import io.acaciafs.blocks.proto.BlockRow.State;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the rows of nearly all blocks by hand: those that nothing was reported of beyond what was
 * expected, and that need no repair. Where a row holds anything else, garbage included, it is not
 * plain, and the generated class says what it is: so both read the same language. For one row, and
 * one thread.
 */
final class PlainBlock {
  private static final int VARINT = 0;
  private static final int LENGTH_DELIMITED = 2;

  private static final int FILE_ID = 1 << 3 | VARINT;
  private static final int GENERATION_STAMP = 2 << 3 | VARINT;
  private static final int NUM_BYTES = 3 << 3 | VARINT;
  private static final int REPLICATION = 4 << 3 | VARINT;
  private static final int STATE = 5 << 3 | VARINT;
  private static final int STORAGES = 6 << 3 | LENGTH_DELIMITED;
  private static final int EXPECTED = 7 << 3 | LENGTH_DELIMITED;

  /** Of the tenth byte of a number, which holds its highest bit alone. */
  private static final int LAST_SHIFT = 63;

  private static final int MOST_STORAGES = 64;

  private final byte[] bytes;
  private int position;
  private boolean strange;

  private PlainBlock(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Null where the row is not plain. */
  static BlockRecord read(byte[] row) {
    return new PlainBlock(row).read();
  }

  private BlockRecord read() {
    long fileId = 0;
    long generationStamp = 0;
    long numBytes = 0;
    int replication = 0;
    State state = State.COMPLETE;
    List<Integer> storages = List.of();
    List<Integer> expected = List.of();
    while (position < bytes.length && !strange) {
      switch (bytes[position++]) {
        case FILE_ID -> fileId = varint(bytes.length);
        case GENERATION_STAMP -> generationStamp = varint(bytes.length);
        case NUM_BYTES -> numBytes = varint(bytes.length);
        case REPLICATION -> replication = (int) varint(bytes.length);
        case STATE -> state = state(varint(bytes.length));
        case STORAGES -> storages = numbers(storages);
        case EXPECTED -> expected = numbers(expected);
        default -> strange = true;
      }
    }
    return strange
        ? null
        : new BlockRecord(
            fileId,
            generationStamp,
            numBytes,
            replication,
            state,
            storages,
            expected,
            List.of(),
            Upkeep.NONE,
            Construction.NONE);
  }

  private State state(long number) {
    State state = number < 0 || number > Byte.MAX_VALUE ? null : State.forNumber((int) number);
    strange |= state == null;
    return state;
  }

  private List<Integer> numbers(List<Integer> before) {
    long length = varint(bytes.length);
    strange |= !before.isEmpty() || length < 0 || length > bytes.length - position;
    if (strange) {
      return before;
    }
    int end = position + (int) length;
    Integer[] numbers = new Integer[Math.min((int) length, MOST_STORAGES)];
    int count = 0;
    while (position < end && !strange) {
      if (count == numbers.length) {
        strange = true;
        return before;
      }
      numbers[count++] = (int) varint(end);
    }
    return List.of(Arrays.copyOf(numbers, count));
  }

  private long varint(int end) {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE && position < end; shift += 7) {
      byte next = bytes[position++];
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        strange |= shift == LAST_SHIFT && next != 1; // no encoder writes that
        return value;
      }
    }
    strange = true;
    return 0;
  }
}
