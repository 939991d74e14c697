package io.acaciafs.rpc.method;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.junit.jupiter.api.Test;

/** Which failures look like a bug of the server, so that the log has their stack traces. */
class ServedMethodTest {
  private final Set<Class<? extends Throwable>> refusals =
      Set.of(HadoopIllegalArgumentException.class);

  @Test
  void anExpectedFailureIsNoBug() {
    assertThat(isUnexpected(new HadoopIllegalArgumentException("too long"))).isFalse();
    assertThat(isUnexpected(new UnsupportedOperationException("not yet"))).isFalse();
    assertThat(isUnexpected(new IOException("no such file"))).isFalse();
  }

  @Test
  void anUnexpectedFailureIsABug() {
    assertThat(isUnexpected(new IllegalStateException("broken"))).isTrue();
    assertThat(isUnexpected(new StackOverflowError())).isTrue();
  }

  private boolean isUnexpected(Throwable failure) {
    return ServedMethod.isUnexpected(failure, refusals);
  }
}
