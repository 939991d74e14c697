package io.acaciafs.namenode.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Store;
import java.net.InetSocketAddress;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;

class RpcConfigTest {
  private final HdfsConfiguration conf = new HdfsConfiguration();

  @Test
  void listensOnTheBindHostIfThereIsOne() {
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:8020");
    assertThat(
            RpcConfig.server(conf, new Store.Traits(true, false))
                .listen()
                .address()
                .getHostString())
        .isEqualTo("127.0.0.1");

    conf.set("dfs.namenode.rpc-bind-host", "0.0.0.0");
    assertThat(
            RpcConfig.server(conf, new Store.Traits(true, false))
                .listen()
                .address()
                .getHostString())
        .isEqualTo("0.0.0.0");
    assertThat(RpcConfig.server(conf, new Store.Traits(true, false)).listen().address().getPort())
        .isEqualTo(8020);
  }

  @Test
  void dataNodesFindOneOfSeveralByTheirNameservice() {
    InetSocketAddress bound = new InetSocketAddress("127.0.0.1", 8021);
    conf.set("fs.defaultFS", "hdfs://nn1.example.com:8020");
    assertThat(RpcConfig.addressForDataNodes(Settings.ofThisNameNode(conf), bound))
        .isEqualTo("nn1.example.com:8021");

    conf.set("fs.defaultFS", "hdfs://many");
    conf.set("dfs.nameservices", "many");
    conf.set("dfs.ha.namenodes.many", "nn1,nn2");
    conf.set("dfs.ha.namenode.id", "nn1");
    conf.set("dfs.namenode.rpc-address.many.nn1", "127.0.0.1:8020");
    conf.set("dfs.namenode.rpc-address.many.nn2", "127.0.0.2:8020");
    conf.set("dfs.client.failover.proxy.provider.many", "any");
    assertThat(RpcConfig.addressForDataNodes(Settings.ofThisNameNode(conf), bound))
        .isEqualTo("many");
  }
}
