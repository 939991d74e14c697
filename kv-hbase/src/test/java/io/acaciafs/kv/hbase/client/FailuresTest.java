package io.acaciafs.kv.hbase.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class FailuresTest {
  @Test
  void aReasonNeverEndsInNull() {
    assertThat(Failures.reason(new TimeoutException())).isEqualTo("no answer in time");
    assertThat(Failures.reason(new TimeoutException("no answer in 60 s")))
        .isEqualTo("no answer in 60 s");
    assertThat(Failures.reason(new ClosedChannelException())).isEqualTo("ClosedChannelException");
    assertThat(Failures.reason(new IOException("Broken pipe\n\tat a.b.c")))
        .isEqualTo("IOException: Broken pipe");
    assertThat(Failures.reason(null)).isEqualTo("others were faster each time");
  }
}
