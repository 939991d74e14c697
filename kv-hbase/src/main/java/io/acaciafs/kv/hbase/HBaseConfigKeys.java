package io.acaciafs.kv.hbase;

import static io.acaciafs.settings.Range.between;

import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.settings.Default;
import io.acaciafs.settings.Setting;
import java.util.List;

/** The settings of the engine. */
final class HBaseConfigKeys {
  /** A region begins with two bytes that no other one begins with. */
  private static final int MOST_REGIONS = 1 << 16;

  static final Setting<String> ZOOKEEPER =
      Setting.ofText(
          "acacia.store.hbase.zookeeper",
          Default.none(),
          "host:port, or several with commas",
          "where the ZooKeeper of the HBase cluster is reached");

  static final Setting<String> TABLE =
      Setting.ofText(
          "acacia.store.hbase.table",
          Default.of("acacia"),
          "name of a table",
          "the HBase table that holds everything");

  static final Setting<Integer> REGIONS =
      Setting.ofInt(
          "acacia.store.hbase.regions",
          1,
          between(1, MOST_REGIONS),
          "regions",
          "with how many regions the table begins; up to 16 keep the rows of an inode beside its"
              + " entry; read by `acacia format`");

  static final Setting<String> COPROCESSOR =
      Setting.ofText(
          "acacia.store.hbase.coprocessor",
          Default.of(HBaseOptions.NO_COPROCESSOR),
          "none, classpath, or the path of a jar",
          "where region servers find the jar of Acacia's coprocessor when the table is made: on"
              + " their class path, or at a path that all of them reach, such as"
              + " hdfs://host:port/lib/acacia-hbase-coprocessor.jar; read by `acacia format`");

  static final Setting<String> LOAD_FOLDER =
      Setting.ofText(
          "acacia.store.hbase.load.folder",
          Default.none(),
          "URL of a folder",
          "where `acacia migrate`, `import` and `bench load` write files that HBase takes over:"
              + " on the file system of HBase's root directory, such as hdfs://host:port/load");

  static final List<Setting<?>> ALL = List.of(ZOOKEEPER, TABLE, REGIONS, COPROCESSOR, LOAD_FOLDER);

  private HBaseConfigKeys() {}
}
