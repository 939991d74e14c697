package io.acaciafs.systemtests.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataNodesTest {

  /** A later DataNode may get the same port, and metrics are found by a name made of it. */
  @Test
  void metricsOfAStoppedDataNodeAreGone(@TempDir Path folder) throws Exception {
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:1");
    DataNodes dataNodes = new DataNodes();
    dataNodes.add(folder, List.of(), conf);
    DefaultMetricsSystem.initialize("another"); // as a balancer in the same process
    try {
      String name = dataNodes.running().get(0).getMetrics().name();
      assertThat(DefaultMetricsSystem.instance().getSource(name)).isNotNull();

      dataNodes.shutdown();

      assertThat(DefaultMetricsSystem.instance().getSource(name)).isNull();
    } finally {
      DefaultMetricsSystem.shutdown();
    }
  }
}
