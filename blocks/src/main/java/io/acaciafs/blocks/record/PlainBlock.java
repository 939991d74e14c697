package io.acaciafs.blocks.record;

import io.acaciafs.blocks.proto.BlockRow.State;
import io.acaciafs.wire.WireReader;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of nearly all blocks by hand: those that nothing was reported of beyond what was
 * expected, and that need no repair. Where a row holds anything else, garbage included, it is not
 * plain, and the generated class says what it is: so both read the same language. For one row, and
 * one thread.
 */
final class PlainBlock extends WireReader {
  private static final int FILE_ID = 1 << 3 | VARINT;
  private static final int GENERATION_STAMP = 2 << 3 | VARINT;
  private static final int NUM_BYTES = 3 << 3 | VARINT;
  private static final int REPLICATION = 4 << 3 | VARINT;
  private static final int STATE = 5 << 3 | VARINT;
  private static final int STORAGES = 6 << 3 | LENGTH_DELIMITED;
  private static final int EXPECTED = 7 << 3 | LENGTH_DELIMITED;

  private static final int MOST_STORAGES = 64;

  private final int end;

  private PlainBlock(byte[] row) {
    begin(row, 0);
    end = row.length;
  }

  /** Null where the row is not plain. */
  static @Nullable BlockRecord read(byte[] row) {
    return new PlainBlock(row).read();
  }

  private @Nullable BlockRecord read() {
    long fileId = 0;
    long generationStamp = 0;
    long numBytes = 0;
    int replication = 0;
    State state = State.COMPLETE;
    List<Integer> storages = List.of();
    List<Integer> expected = List.of();
    while (position() < end && !isStrange()) {
      switch (tag()) {
        case FILE_ID -> fileId = varint(end);
        case GENERATION_STAMP -> generationStamp = varint(end);
        case NUM_BYTES -> numBytes = varint(end);
        case REPLICATION -> replication = (int) varint(end);
        case STATE -> state = state(varint(end));
        case STORAGES -> storages = numbers(storages);
        case EXPECTED -> expected = numbers(expected);
        default -> setStrange();
      }
    }
    return isStrange()
        ? null
        : new BlockRecord(
            new BlockRecord.Owner(fileId, replication),
            generationStamp,
            numBytes,
            state,
            new BlockRecord.Replicas(storages, expected, List.of()),
            RepairState.NONE,
            Construction.NONE);
  }

  private State state(long number) {
    State state = number < 0 || number > Byte.MAX_VALUE ? null : State.forNumber((int) number);
    if (state == null) {
      setStrange();
      return State.COMPLETE;
    }
    return state;
  }

  private List<Integer> numbers(List<Integer> before) {
    int endOfNumbers = endOfMessage(end);
    if (!before.isEmpty()) {
      setStrange();
    }
    if (isStrange()) {
      return before;
    }
    Integer[] numbers = new Integer[Math.min(endOfNumbers - position(), MOST_STORAGES)];
    int count = 0;
    while (position() < endOfNumbers && !isStrange()) {
      if (count == numbers.length) {
        setStrange();
        return before;
      }
      numbers[count++] = (int) varint(endOfNumbers);
    }
    return List.of(Arrays.copyOf(numbers, count));
  }
}
