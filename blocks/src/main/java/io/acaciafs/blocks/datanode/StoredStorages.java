package io.acaciafs.blocks.datanode;

import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.StoreException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The rows of all storages, by index.
 *
 * @param keys where several have one index, any of them
 */
public record StoredStorages(Map<Integer, Key> keys) {
  public StoredStorages {
    keys = Map.copyOf(keys);
  }

  public static StoredStorages read(Reader reader) {
    Map<Integer, Key> keys = new HashMap<>();
    try (Scan rows = reader.scan(BlockKeys.storages())) {
      while (rows.hasNext()) {
        Row row = rows.next();
        keys.putIfAbsent(indexIn(row.value()), row.key());
      }
    }
    return new StoredStorages(keys);
  }

  /** 0, which no storage has, where the row makes no sense. */
  public static int indexIn(byte[] row) {
    try {
      return row == null ? 0 : DatanodeRows.storage(row).getIndex();
    } catch (StoreException e) {
      return 0; // the caller reports the finding
    }
  }

  public Set<Integer> indexes() {
    return keys.keySet();
  }

  public int highest() {
    return indexes().stream().mapToInt(Integer::intValue).max().orElse(0);
  }
}
