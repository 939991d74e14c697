package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the tests of attacks would see. */
@Timeout(120)
class LeftoversTest {
  private static Thread started(CountDownLatch end) {
    Thread thread =
        new Thread(
            () -> {
              try {
                end.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "the same name");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  @Test
  void aThreadIsNewAlsoWhereItHasTheNameOfAnother(@TempDir File folder) throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    try (RunningNameNode nameNode = new RunningNameNode(folder, Map.of())) {
      Thread before = started(end);
      nameNode.fileSystem().close();
      Leftovers leftovers = Leftovers.since(nameNode.nameNode());
      leftovers.assertNone();
      Thread left = started(end);
      assertThatThrownBy(() -> leftovers.assertNone(Duration.ofMillis(200)))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("threads are left")
          .hasMessageContaining(left.getName());
      end.countDown();
      left.join();
      before.join();
      leftovers.assertNone();
      assertThat(left.isAlive()).isFalse();
    }
  }
}
