package io.acaciafs.kv;

/**
 * A named table: a key space of its own.
 *
 * @param name letters, digits and underscores; engines use it as the name of their own table
 * @param partitionLength how many leading bytes of a key are its partition; a key that is shorter
 *     is a partition by itself. {@link Integer#MAX_VALUE} makes each row its own partition.
 */
public record Table(String name, int partitionLength) {

  public Table {
    if (!name.matches("[a-z0-9_]+")) {
      throw new IllegalArgumentException("Invalid table name: " + name);
    }
    if (partitionLength < 1) {
      throw new IllegalArgumentException("A partition has at least one byte: " + partitionLength);
    }
  }

  /** A table whose rows have nothing to do with each other. */
  public static Table ofSingleRows(String name) {
    return new Table(name, Integer.MAX_VALUE);
  }

  @Override
  public String toString() {
    return name;
  }
}
