package io.acaciafs.kv;

/**
 * A named table: a key space of its own.
 *
 * @param name letters, digits and underscores; engines use it as the name of their own table
 * @param partitionLength how many leading bytes of a key are its partition; a key that is shorter
 *     is a partition by itself. {@link Integer#MAX_VALUE} makes each row its own partition.
 * @param isScattered whether rows are written in masses and in the order of their keys, and seldom
 *     scanned: an engine of many servers may place them by a hash, and then pays more for a scan
 * @param isPassing whether rows are of use for a while only, and are neither removed nor scanned:
 *     an engine may forget them by itself after the time that it was told when it was opened
 */
public record Table(String name, int partitionLength, boolean isScattered, boolean isPassing) {

  public Table {
    if (!name.matches("[a-z0-9_]+")) {
      throw new IllegalArgumentException("Invalid table name: " + name);
    }
    if (partitionLength < 1) {
      throw new IllegalArgumentException("A partition has at least one byte: " + partitionLength);
    }
  }

  public Table(String name, int partitionLength) {
    this(name, partitionLength, false, false);
  }

  /** A table whose rows have nothing to do with each other. */
  public static Table ofSingleRows(String name) {
    return new Table(name, Integer.MAX_VALUE);
  }

  /** The same, where many rows are written whose keys follow upon each other, as ids do. */
  public static Table ofScatteredRows(String name) {
    return new Table(name, Integer.MAX_VALUE, true, false);
  }

  /** A table whose rows have nothing to do with each other, and are forgotten after a while. */
  public static Table ofPassingRows(String name) {
    return new Table(name, Integer.MAX_VALUE, false, true);
  }

  @Override
  public String toString() {
    return name;
  }
}
