package io.acaciafs.kv.hbase.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ConnectionUtils;
import org.junit.jupiter.api.Test;

/** What HBase's client is told. */
class ConnectionsTest {
  private static final int LATEST_MS = 1_000;

  /** HBase's jitter of its backoff. */
  private static final double JITTER = 1.01;

  @Test
  void aReadInAMovingRegionIsASecondLateAtMost() {
    Configuration conf = Connections.configuration(HBaseOptions.of("127.0.0.1:2181"));
    long pauseMs =
        conf.getLong(HConstants.HBASE_CLIENT_PAUSE, HConstants.DEFAULT_HBASE_CLIENT_PAUSE);
    for (int tries = 0; tries < 100; tries++) {
      assertThat((double) ConnectionUtils.getPauseTime(pauseMs, tries))
          .isLessThanOrEqualTo(LATEST_MS * JITTER);
    }
  }
}
