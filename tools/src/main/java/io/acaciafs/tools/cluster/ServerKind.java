package io.acaciafs.tools.cluster;

/** The kinds of servers, in the order in which docs/deploy-hbase.md starts them. */
enum ServerKind {
  ZOOKEEPER("zk"),
  META_NAMENODE("meta-nn"),
  DATANODE("dn"),
  MASTER("master"),
  REGION_SERVER("rs"),
  NAMENODE("nn"),
  ROUTER("router");

  private final String prefix;

  ServerKind(String prefix) {
    this.prefix = prefix;
  }

  /** The name of one of them. */
  String name(int index) {
    return prefix + (index + 1);
  }
}
