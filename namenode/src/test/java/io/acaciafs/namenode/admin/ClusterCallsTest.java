package io.acaciafs.namenode.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namenode.settings.NamespaceConfig;
import java.io.IOException;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.StoragePolicy;
import org.junit.jupiter.api.Test;

class ClusterCallsTest {
  private final HdfsConfiguration conf = new HdfsConfiguration();

  @Test
  void clientsAreToldTheDefaultStoragePolicy() throws IOException {
    assertThat(defaults().getDefaultStoragePolicyId()).isEqualTo(StoragePolicy.HOT.value());

    conf.set("dfs.storage.default.policy", "ONE_SSD");
    assertThat(defaults().getDefaultStoragePolicyId()).isEqualTo(StoragePolicy.ONE_SSD.value());
  }

  private FsServerDefaults defaults() throws IOException {
    return ClusterCalls.serverDefaults(
        NamespaceConfig.namespace(conf).features().storagePolicies(), conf);
  }
}
