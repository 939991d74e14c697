package io.acaciafs.namenode;

import org.apache.hadoop.conf.Configuration;

/** The settings of a service of two NameNodes, of which this one is the first. */
final class ServiceOfTwo {
  private ServiceOfTwo() {}

  static void describe(Configuration conf) {
    conf.set("fs.defaultFS", "hdfs://many");
    conf.set("dfs.nameservices", "many");
    conf.set("dfs.ha.namenodes.many", "nn1,nn2");
    conf.set("dfs.ha.namenode.id", "nn1");
    conf.set("dfs.namenode.rpc-address.many.nn1", "localhost:8020");
    conf.set("dfs.namenode.rpc-address.many.nn2", "nn2.invalid:8020");
  }
}
