package io.acaciafs.kv.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.protocol.RaftPeerId;
import org.junit.jupiter.api.Test;

class ServerEndTest {
  private static final RaftPeerId ID = RaftPeerId.valueOf("nn9");
  private static final long LIMIT_S = 30;

  @Test
  void closes() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    ServerEnd.close(closed::countDown, ID, TimeUnit.SECONDS.toMillis(LIMIT_S));
    assertThat(closed.getCount()).isZero();
  }

  @Test
  void interruptsAThreadOfRatisThatWaitsForEver() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    Thread closing =
        new Thread(
            () -> {
              try {
                never.await();
              } catch (InterruptedException e) {
                closed.countDown();
              }
            },
            "nn9-impl-thread1");
    closing.start();
    Closeable server =
        () -> {
          try {
            closed.await(LIMIT_S, TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    ServerEnd.close(server, ID, 100);
    assertThat(closed.getCount()).isZero();
  }

  @Test
  void saysWhatFailed() {
    Closeable server =
        () -> {
          throw new IOException("its disk is gone");
        };
    assertThatThrownBy(() -> ServerEnd.close(server, ID, TimeUnit.SECONDS.toMillis(LIMIT_S)))
        .isInstanceOf(IOException.class)
        .hasRootCauseMessage("its disk is gone");
  }
}
