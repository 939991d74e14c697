package io.acaciafs.kv.hbase.local;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;

/** What a client of an HBase needs to find it. Stateless. */
final class ClientSettings {
  private ClientSettings() {}

  /**
   * A new configuration.
   *
   * @param zooKeeper host:port, or several with commas
   */
  static Configuration of(String zooKeeper) {
    Configuration conf = HBaseConfiguration.create();
    int colon = zooKeeper.lastIndexOf(':');
    conf.set("hbase.zookeeper.quorum", zooKeeper.substring(0, colon));
    conf.set("hbase.zookeeper.property.clientPort", zooKeeper.substring(colon + 1));
    return conf;
  }
}
