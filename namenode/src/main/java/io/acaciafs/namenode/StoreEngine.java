package io.acaciafs.namenode;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.hbase.HBaseOptions;
import io.acaciafs.kv.hbase.HBaseStore;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import io.acaciafs.namenode.members.Member;
import io.acaciafs.namenode.members.Members;
import io.acaciafs.namenode.members.StoredMembers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.util.ExitUtil;

/** Which engine keeps the file system, as acacia.store.engine says. Immutable. */
abstract sealed class StoreEngine {
  static final String ROCKSDB = "rocksdb";
  static final String HBASE = "hbase";
  private static final String ENGINE = "acacia.store.engine";

  /**
   * @param identity whose store it is, or will be
   * @throws IOException for a setting that nobody understands
   */
  static StoreEngine of(Configuration conf, NameDirectory directory, ClusterIdentity identity)
      throws IOException {
    String name = nameIn(conf);
    return switch (name) {
      case ROCKSDB -> new Embedded(conf, directory);
      case HBASE -> new OnHBase(conf, directory, identity);
      default -> throw new IOException(ENGINE + " is " + name + "; there are rocksdb and hbase");
    };
  }

  private static String nameIn(Configuration conf) {
    return conf.getTrimmed(ENGINE, ROCKSDB);
  }

  static boolean isRocksDb(Configuration conf) {
    return nameIn(conf).equals(ROCKSDB);
  }

  /** With what the table says of its owner. */
  static HBaseOptions ownedBy(ClusterIdentity identity, HBaseOptions options) {
    return options.withOwner(
        "cluster " + identity.clusterId() + ", block pool " + identity.blockPoolId());
  }

  /**
   * @throws IOException for another engine
   */
  static void requireRocksDb(Configuration conf) throws IOException {
    if (!nameIn(conf).equals(ROCKSDB)) {
      throw new IOException("This works on the rocksdb engine alone, see " + ENGINE);
    }
  }

  /** As the setting names it. */
  abstract String name();

  /** Where the store is, for people. */
  abstract String place();

  /**
   * Makes an empty store, before anything of the folder is cleared.
   *
   * @param isForced removes what is there
   * @throws io.acaciafs.kv.StoreException when there is something and it may not go
   * @throws IOException when a NameNode serves from what is there
   */
  abstract void format(Set<Table> tables, boolean isForced) throws IOException;

  /**
   * @throws IOException when there is certainly none, or the folder was formatted for another
   *     engine
   */
  abstract void requireStore() throws IOException;

  /** The store would not be found, and "format it" would be bad advice. */
  void requireSameEngine(NameDirectory directory) throws IOException {
    String formatted = directory.engine();
    if (formatted != null && !formatted.equals(name())) {
      throw new IOException(
          "The file system of the folder "
              + directory.folder()
              + " is kept by the engine "
              + formatted
              + ", but "
              + ENGINE
              + " says "
              + name()
              + ". Set it to "
              + formatted);
    }
  }

  abstract Store open(Set<Table> tables);

  /** Tells NameNodes that are to join whose store it is. */
  abstract void introduce(Store store) throws IOException;

  /**
   * Becomes one of the NameNodes that serve the store.
   *
   * @throws IOException when the others could not reach this one
   */
  abstract Members join(Store store) throws IOException;

  /**
   * Who the cluster is whose NameNodes share a store.
   *
   * @throws IOException when this is an engine for one NameNode, or the store does not know
   */
  static ClusterIdentity identityOfShared(Configuration conf) throws IOException {
    if (!nameIn(conf).equals(HBASE)) {
      throw new IOException(
          "Only on HBase can several NameNodes serve one file system: " + ENGINE + " is not hbase");
    }
    HBaseOptions options = Settings.hbase(conf);
    try (Store store = HBaseStore.open(options)) {
      ClusterIdentity identity = ClusterRow.read(store);
      if (identity == null) {
        throw new IOException(
            "The table "
                + options.table()
                + " does not say whose it is. Start its NameNode once, which writes it down");
      }
      return identity;
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
    String name() {
      return ROCKSDB;
    }

    @Override
    String place() {
      return directory.storeFolder().toString();
    }

    @Override
    void format(Set<Table> tables, boolean isForced) {
      // The folder will be cleared, and the store makes what it needs.
    }

    @Override
    void requireStore() throws IOException {
      requireSameEngine(directory);
      directory.requireStore();
    }

    @Override
    Store open(Set<Table> tables) {
      return RocksDbStore.open(directory.storeFolder(), tables, Settings.rocksDb(conf));
    }

    @Override
    void introduce(Store store) {
      // nobody joins
    }

    @Override
    Members join(Store store) {
      InetSocketAddress address = DFSUtilClient.getNNAddress(conf);
      // the lock of the folder keeps all others away
      return Members.alone(
          new Member(
              1, address.getHostString(), address.getPort(), System.currentTimeMillis(), ""));
    }
  }

  /** An HBase cluster. The folder of the NameNode only says who it is. */
  private static final class OnHBase extends StoreEngine {
    private final Configuration conf;
    private final NameDirectory directory;
    private final ClusterIdentity identity;
    private final HBaseOptions options;
    private final int regions;

    OnHBase(Configuration conf, NameDirectory directory, ClusterIdentity identity)
        throws IOException {
      this.conf = conf;
      this.directory = directory;
      this.identity = identity;
      options = ownedBy(identity, Settings.hbase(conf));
      regions = Settings.hbaseRegions(conf);
    }

    @Override
    String name() {
      return HBASE;
    }

    @Override
    String place() {
      return "table " + options.table() + " of HBase at " + options.zooKeeper();
    }

    @Override
    void format(Set<Table> tables, boolean isForced) throws IOException {
      if (isForced && HBaseStore.isFormatted(options)) {
        try (Store existing = HBaseStore.open(options.withOwner(null))) {
          StoredMembers.requireNone(existing, Settings.memberLeaseMs(conf));
        }
      }
      HBaseStore.format(options, tables, regions, isForced);
    }

    @Override
    void requireStore() throws IOException {
      requireSameEngine(directory); // the rest is told by the opening
    }

    @Override
    Store open(Set<Table> tables) {
      return HBaseStore.open(options);
    }

    @Override
    void introduce(Store store) throws IOException {
      ClusterRow.write(store, identity);
    }

    @Override
    Members join(Store store) throws IOException {
      InetSocketAddress address = DFSUtilClient.getNNAddress(conf);
      if (address.getPort() == 0) {
        throw new IOException(
            "The address of a NameNode on HBase needs a port, by which others reach it: "
                + address);
      }
      StoredMembers members =
          StoredMembers.join(
              store,
              address.getHostString(),
              address.getPort(),
              Clock.systemUTC(),
              Settings.memberLeaseMs(conf),
              System::nanoTime,
              new SecureRandom(),
              // Halted and not ended in order: whatever it still does may be wrong.
              () -> ExitUtil.halt(1, "This NameNode must not serve any more, see its log"));
      members.run(Threads.scheduler("members", 1));
      return members;
    }
  }
}
