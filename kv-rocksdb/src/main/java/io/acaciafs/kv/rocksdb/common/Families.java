package io.acaciafs.kv.rocksdb.common;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import java.util.HashMap;
import java.util.Map;

/** Which column family of RocksDB a table is. Immutable. */
public final class Families {
  private final Map<Table, Integer> numbers;
  private final Map<Integer, Table> tables = new HashMap<>();

  /**
   * @param numbers by which batches know column families
   */
  public Families(Map<Table, Integer> numbers) {
    this.numbers = Map.copyOf(numbers);
    numbers.forEach((table, number) -> tables.put(number, table));
  }

  /**
   * @throws IllegalArgumentException for a table that the store was opened without
   */
  public int number(Table table) {
    Integer number = numbers.get(table);
    if (number == null) {
      throw unknown(table);
    }
    return number;
  }

  /** The refusal of a table that the store was opened without. */
  public static IllegalArgumentException unknown(Table table) {
    return new IllegalArgumentException("The store was opened without table " + table);
  }

  /**
   * The table of a column family.
   *
   * @throws StoreException if there is none of this number: what names it is damaged
   */
  public Table table(int number) {
    Table table = tables.get(number);
    if (table == null) {
      throw new StoreException("There is no column family of the number " + number);
    }
    return table;
  }
}
