package io.acaciafs.namenode.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Store;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;

class SettingsTest {
  private final HdfsConfiguration conf = new HdfsConfiguration();

  @Test
  void eachNameNodeFindsItsOwnSettingsAmongThoseOfAll() {
    conf.set("fs.defaultFS", "hdfs://many");
    conf.set("dfs.nameservices", "many");
    conf.set("dfs.ha.namenodes.many", "nn1,nn2");
    conf.set("dfs.namenode.rpc-address.many.nn1", "127.0.0.1:8021");
    conf.set("dfs.namenode.rpc-address.many.nn2", "127.0.0.1:8022");
    conf.set("dfs.namenode.name.dir.many.nn2", "/two");
    conf.set("dfs.ha.namenode.id", "nn2");
    Configuration own = Settings.ofThisNameNode(conf);
    assertThat(RpcConfig.server(own, new Store.Traits(false, true)).listen().address().getPort())
        .isEqualTo(8022);
    assertThat(own.get("dfs.namenode.name.dir")).isEqualTo("/two");
  }

  /** Else one that is named there would listen, and log in, as another host. */
  @Test
  void theAddressOfTheOnlyNameNodeIsTheFileSystem() {
    conf.set("fs.defaultFS", "hdfs://elsewhere:8020");
    assertThat(Settings.ofThisNameNode(conf).get("fs.defaultFS"))
        .isEqualTo("hdfs://elsewhere:8020");
    conf.set("dfs.namenode.rpc-address", "127.0.0.1:8021");
    assertThat(Settings.ofThisNameNode(conf).get("fs.defaultFS"))
        .isEqualTo("hdfs://127.0.0.1:8021");
  }
}
