package io.acaciafs.kv.raft.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InterruptedIOException;
import org.junit.jupiter.api.Test;

class CopyRateTest {
  private long nowNs = Long.MAX_VALUE - 5;

  private CopyRate rate(long bytesPerSecond) {
    return new CopyRate(bytesPerSecond, () -> nowNs, ns -> nowNs += (ns + 1) / 2);
  }

  @Test
  void waitsAsLongAsWhatWasFetchedTakes() throws Exception {
    long beginNs = nowNs;
    CopyRate rate = rate(1_000);
    for (int i = 0; i < 10; i++) {
      rate.fetched(500);
    }
    assertThat(nowNs - beginNs).isEqualTo(5_000_000_000L);
  }

  /** Else a pause of the network would be made good for by a rush. */
  @Test
  void whatWasNotUsedIsNoCredit() throws Exception {
    CopyRate rate = rate(1_000);
    rate.fetched(1);
    nowNs += 60_000_000_000L;
    long beginNs = nowNs;
    rate.fetched(2_000);
    assertThat(nowNs - beginNs).isEqualTo(2_000_000_000L);
  }

  @Test
  void withoutALimitItWaitsForNothing() throws Exception {
    long beginNs = nowNs;
    rate(0).fetched(1L << 40);
    assertThat(nowNs).isEqualTo(beginNs);
  }

  @Test
  void endsWhenItIsInterrupted() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> new CopyRate(1).fetched(1_000))
        .isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
