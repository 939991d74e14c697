package io.acaciafs.namenode.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Store;
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
}
