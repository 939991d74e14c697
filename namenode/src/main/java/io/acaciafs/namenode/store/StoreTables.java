package io.acaciafs.namenode.store;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.kv.Table;
import io.acaciafs.namespace.Namespace;
import java.util.HashSet;
import java.util.Set;

/** The tables of a file system's store. Stateless. */
public final class StoreTables {
  private StoreTables() {}

  public static Set<Table> all() {
    Set<Table> tables = new HashSet<>(Namespace.tables());
    tables.addAll(BlockManager.tables());
    return tables;
  }
}
