package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Store;
import io.acaciafs.namenode.settings.RpcConfig;
import io.acaciafs.namenode.settings.Settings;
import io.acaciafs.rpc.options.ListenOptions;
import io.acaciafs.rpc.options.RpcServerOptions;
import java.io.File;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Addresses that a site gives DataNodes, their lifelines, and others to come to. */
class MoreRpcAddressesTest {
  private static List<InetSocketAddress> addresses(Configuration conf) {
    RpcServerOptions options = RpcConfig.server(conf, new Store.Traits(true, false));
    return options.listen().moreAddresses();
  }

  @Test
  void areThoseOfTheSite() {
    Configuration conf = new HdfsConfiguration();
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:8020");
    assertThat(addresses(conf)).isEmpty();

    conf.set("dfs.namenode.servicerpc-address", "127.0.0.1:8022");
    conf.set("dfs.namenode.lifeline.rpc-address", "127.0.0.1:8050");
    conf.set("dfs.namenode.rpc-address.auxiliary-ports", "8060, 8061");
    assertThat(addresses(conf))
        .containsExactly(
            new InetSocketAddress("127.0.0.1", 8022),
            new InetSocketAddress("127.0.0.1", 8050),
            new InetSocketAddress("127.0.0.1", 8060),
            new InetSocketAddress("127.0.0.1", 8061));

    conf.set("dfs.namenode.send.qop.enabled", "true");
    ListenOptions listen = RpcConfig.server(conf, new Store.Traits(true, false)).listen();
    assertThat(listen.moreAddresses()).hasSize(2);
    assertThat(listen.auxiliaryAddresses())
        .containsExactly(
            new InetSocketAddress("127.0.0.1", 8060), new InetSocketAddress("127.0.0.1", 8061));

    conf.set("dfs.namenode.servicerpc-bind-host", "0.0.0.0");
    conf.set("dfs.namenode.lifeline.rpc-bind-host", "0.0.0.0");
    assertThat(addresses(conf))
        .startsWith(new InetSocketAddress("0.0.0.0", 8022), new InetSocketAddress("0.0.0.0", 8050));
  }

  @Test
  void areThoseOfThisNameNodeAmongSeveral() {
    Configuration conf = new HdfsConfiguration();
    conf.set("fs.defaultFS", "hdfs://many");
    conf.set("dfs.nameservices", "many");
    conf.set("dfs.ha.namenodes.many", "nn1,nn2");
    conf.set("dfs.namenode.rpc-address.many.nn1", "127.0.0.1:8021");
    conf.set("dfs.namenode.rpc-address.many.nn2", "127.0.0.1:8022");
    conf.set("dfs.namenode.servicerpc-address.many.nn2", "127.0.0.1:8032");
    conf.set("dfs.ha.namenode.id", "nn2");
    assertThat(addresses(Settings.ofThisNameNode(conf)))
        .containsExactly(new InetSocketAddress("127.0.0.1", 8032));
  }

  @Test
  void answerLikeTheFirst(@TempDir File folder) throws Exception {
    Map<String, String> settings =
        Map.of(
            "dfs.namenode.servicerpc-address", "127.0.0.1:0",
            "dfs.namenode.lifeline.rpc-address", "127.0.0.1:0");
    try (RunningNameNode nameNode = new RunningNameNode(folder, settings)) {
      nameNode.fileSystem().mkdirs(new Path("/d"));
      assertThat(nameNode.rpcAddresses()).hasSize(3).doesNotHaveDuplicates();
      for (InetSocketAddress address : nameNode.rpcAddresses()) {
        URI uri = URI.create("hdfs://127.0.0.1:" + address.getPort());
        try (FileSystem there = FileSystem.newInstance(uri, new HdfsConfiguration())) {
          assertThat(there.exists(new Path("/d"))).isTrue();
        }
      }
    }
  }
}
