package io.acaciafs.kv.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class FailureTextTest {
  @Test
  void aMessageIsToldInOneLine() {
    assertThat(FailureText.of(new IOException("No space left\n\tat a.b.c")))
        .isEqualTo("No space left");
    assertThat(FailureText.of(new ExecutionException(new IOException("No space left"))))
        .isEqualTo("No space left");
  }

  @Test
  void withoutAMessageTheKindSaysIt() {
    assertThat(FailureText.of(new TimeoutException())).isEqualTo("no answer in time");
    assertThat(FailureText.of(new ClosedChannelException())).isEqualTo("ClosedChannelException");
    assertThat(FailureText.of(new ExecutionException(null, new TimeoutException())))
        .isEqualTo("no answer in time");
    assertThat(FailureText.of(new IOException((String) null))).isEqualTo("IOException");
  }
}
