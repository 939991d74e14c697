package io.acaciafs.kv.hbase;

import io.acaciafs.kv.Table;
import io.acaciafs.kv.engine.Engine;
import io.acaciafs.kv.engine.EngineContext;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.engine.SnapshotRestore;
import io.acaciafs.kv.hbase.admin.HBaseAdmin;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.client.HBaseSecurity;
import io.acaciafs.settings.SettingSource;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The store in a table of an HBase cluster. */
final class HBaseEngine implements Engine {
  private final HBaseOptions options;
  private final Set<Table> tables;
  private final int regions;

  private HBaseEngine(HBaseOptions options, Set<Table> tables, int regions) {
    this.options = options;
    this.tables = tables;
    this.regions = regions;
  }

  /**
   * @throws IOException when the site does not say where the cluster is
   */
  static HBaseEngine of(EngineContext context) throws IOException {
    SettingSource site = context.site();
    String zooKeeper = HBaseConfigKeys.ZOOKEEPER.in(site);
    if (zooKeeper == null || zooKeeper.lastIndexOf(':') < 1) {
      throw new IOException(
          "acacia.store.engine is hbase: set "
              + HBaseConfigKeys.ZOOKEEPER
              + " to host:port of its ZooKeeper");
    }
    return new HBaseEngine(
        HBaseOptions.of(zooKeeper)
            .withTable(HBaseConfigKeys.TABLE.in(site))
            .withOwner(context.owner())
            .withCoprocessor(HBaseConfigKeys.COPROCESSOR.in(site))
            .withLoadFolder(HBaseConfigKeys.LOAD_FOLDER.in(site))
            .withClientSettings(clientSettings(site)),
        context.tables(),
        HBaseConfigKeys.REGIONS.in(site));
  }

  private static Map<String, String> clientSettings(SettingSource site) {
    Map<String, String> settings = new HashMap<>();
    for (String name : HBaseSecurity.NAMES) {
      String value = site.value(name);
      if (value != null) {
        settings.put(name, value);
      }
    }
    return settings;
  }

  HBaseOptions options() {
    return options;
  }

  @Override
  public String place() {
    return "table " + options.table() + " of HBase at " + options.zooKeeper();
  }

  @Override
  public boolean exists() {
    return HBaseAdmin.isFormatted(options);
  }

  @Override
  public void requireStore() {
    // Only the cluster knows, and opening asks it.
  }

  @Override
  public void requireProtection() throws IOException {
    HBaseSecurity.require(options);
  }

  @Override
  public void requireLoading() throws IOException {
    if (options.loadFolder() == null) {
      throw new IOException(HBaseStore.NO_LOAD_FOLDER);
    }
  }

  @Override
  public void format(boolean isForced) {
    HBaseAdmin.format(options, tables, regions, isForced);
  }

  @Override
  public EngineStore open() {
    return HBaseStore.open(options);
  }

  @Override
  public Optional<SnapshotRestore> snapshotRestore() {
    return Optional.of(new HBaseRestore(options));
  }
}
