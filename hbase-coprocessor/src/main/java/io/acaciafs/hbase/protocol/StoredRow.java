package io.acaciafs.hbase.protocol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The newest cells of one family of a row, in the order of their qualifiers. Immutable. */
public final class StoredRow {
  public static final StoredRow EMPTY = new StoredRow(List.of());

  private final List<StoredCell> cells;

  /** Keeps the list; it must not change afterwards. */
  public StoredRow(List<StoredCell> cells) {
    this.cells = cells;
  }

  public List<StoredCell> cells() {
    return cells;
  }

  public @Nullable StoredCell cell(byte[] qualifier) {
    for (StoredCell cell : cells) {
      if (Arrays.equals(cell.qualifier(), qualifier)) {
        return cell;
      }
    }
    return null;
  }

  void write(MessageOutput output) {
    output.writeInt(cells.size());
    for (StoredCell cell : cells) {
      cell.write(output);
    }
  }

  static StoredRow read(MessageInput input) {
    int count = input.readCount();
    if (count == 0) {
      return EMPTY;
    }
    List<StoredCell> cells = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      cells.add(StoredCell.read(input));
    }
    return new StoredRow(cells);
  }
}
