package io.acaciafs.kv.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.raft.call.ChannelSecurity;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.retry.RetryPolicy;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.TimeDuration;
import org.junit.jupiter.api.Test;

class RatisPropertiesTest {
  private static final RaftProperties PROPERTIES =
      RatisProperties.of(
          new RaftOptions(
              "nn1",
              Map.of("nn1", "host1:8030"),
              "group",
              Path.of("folder"),
              new ElectionTimeout(500, 1000),
              ChannelSecurity.NONE,
              0));

  /** Else a second failure soon after its return would leave the group without a majority. */
  @Test
  void aMemberThatWasAwayForLongCountsAtOnce() {
    RetryPolicy policy =
        RetryPolicy.parse(
            RaftServerConfigKeys.Log.Appender.retryPolicy(PROPERTIES),
            RaftServerConfigKeys.Log.Appender.RETRY_POLICY_KEY);
    for (int errors : new int[] {1, 20, 100, 5_000, 50_000_000}) {
      RetryPolicy.Action next = policy.handleAttemptFailure(() -> errors);
      assertThat(next.shouldRetry()).isTrue();
      assertThat(next.getSleepTime())
          .as("after %s errors", errors)
          .isLessThan(TimeDuration.valueOf(500, TimeUnit.MILLISECONDS));
    }
  }
}
