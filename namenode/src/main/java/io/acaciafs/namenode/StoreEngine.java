package io.acaciafs.namenode;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.hbase.HBaseOptions;
import io.acaciafs.kv.hbase.HBaseStore;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/** Which engine keeps the file system, as acacia.store.engine says. Immutable. */
abstract sealed class StoreEngine {
  private static final String ENGINE = "acacia.store.engine";

  static StoreEngine of(Configuration conf, NameDirectory directory) throws IOException {
    String name = conf.getTrimmed(ENGINE, "rocksdb");
    return switch (name) {
      case "rocksdb" -> new Embedded(conf, directory);
      case "hbase" -> new OnHBase(conf);
      default -> throw new IOException(ENGINE + " is " + name + "; there are rocksdb and hbase");
    };
  }

  /** Where the store is, for people. */
  abstract String place();

  /**
   * Makes an empty store.
   *
   * @param isForced removes what is there
   * @throws io.acaciafs.kv.StoreException when there is something and it may not go
   */
  abstract void format(Set<Table> tables, boolean isForced);

  /**
   * @throws IOException when there is certainly none
   */
  abstract void requireStore() throws IOException;

  abstract Store open(Set<Table> tables);

  /**
   * For what needs this engine; {@link #open} gives a {@link RocksDbStore} then.
   *
   * @throws IOException for another one
   */
  void requireRocksDb() throws IOException {
    if (!(this instanceof Embedded)) {
      throw new IOException("This works on the rocksdb engine alone, see " + ENGINE);
    }
  }

  /** RocksDB, in the folder of the NameNode. */
  private static final class Embedded extends StoreEngine {
    private final Configuration conf;
    private final NameDirectory directory;

    Embedded(Configuration conf, NameDirectory directory) {
      this.conf = conf;
      this.directory = directory;
    }

    @Override
    String place() {
      return directory.storeFolder().toString();
    }

    @Override
    void format(Set<Table> tables, boolean isForced) {
      // The folder was cleared, and the store makes what it needs.
    }

    @Override
    void requireStore() throws IOException {
      directory.requireStore();
    }

    @Override
    Store open(Set<Table> tables) {
      return RocksDbStore.open(directory.storeFolder(), tables, Settings.rocksDb(conf));
    }
  }

  /** An HBase cluster. The folder of the NameNode only says who it is. */
  private static final class OnHBase extends StoreEngine {
    private final HBaseOptions options;
    private final int regions;

    OnHBase(Configuration conf) throws IOException {
      options = Settings.hbase(conf);
      regions = Settings.hbaseRegions(conf);
    }

    @Override
    String place() {
      return "table " + options.table() + " of HBase at " + options.zooKeeper();
    }

    @Override
    void format(Set<Table> tables, boolean isForced) {
      HBaseStore.format(options, tables, regions, isForced);
    }

    @Override
    void requireStore() {
      // The opening tells.
    }

    @Override
    Store open(Set<Table> tables) {
      return HBaseStore.open(options);
    }
  }
}
