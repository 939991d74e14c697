package io.acaciafs.kv.hbase.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReplyThreadsTest {
  private final ReplyThreads replies = new ReplyThreads();
  private final List<String> threads = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void end() {
    replies.threads().shutdownNow();
  }

  @Test
  void repliesOfOneRequestRunOnOneThreadBehindIt() throws Exception {
    CountDownLatch told = new CountDownLatch(3);
    replies.gather(
        () -> {
          for (int i = 0; i < 3; i++) {
            replies.execute(
                () -> {
                  threads.add(Thread.currentThread().getName());
                  told.countDown();
                },
                () -> {});
          }
          assertThat(threads).isEmpty();
          return 3;
        });
    assertThat(told.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(threads).hasSize(3).containsOnly("hbase-reply-1");
  }

  /** A close that comes then ends the threads, which still do what they have. */
  @Test
  void aReplyIsHandedOverOnlyOnceAThreadHasIt() throws Exception {
    for (boolean isGathered : new boolean[] {false, true}) {
      ReplyThreads own = new ReplyThreads();
      CountDownLatch handedOver = new CountDownLatch(1);
      Runnable reply = () -> threads.add(Thread.currentThread().getName());
      Runnable close =
          () -> {
            own.threads().shutdown();
            handedOver.countDown();
          };
      if (isGathered) {
        own.gather(
            () -> {
              own.execute(reply, close);
              assertThat(handedOver.getCount()).isEqualTo(1);
              return 1;
            });
      } else {
        own.execute(reply, close);
      }
      assertThat(handedOver.getCount()).isZero();
      assertThat(own.threads().awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(threads).containsExactly("hbase-reply-1", "hbase-reply-1");
  }

  @Test
  void repliesAreToldAlthoughTheRequestsTaskFails() throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    try {
      replies.gather(
          () -> {
            replies.execute(told::countDown, () -> {});
            throw new IllegalStateException("for the test");
          });
    } catch (IllegalStateException e) {
      assertThat(e).hasMessage("for the test");
    }
    assertThat(told.await(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void afterTheEndOfTheThreadsTheCallerTells() {
    replies.threads().shutdown();
    replies.execute(() -> threads.add(Thread.currentThread().getName()), () -> {});
    replies.gather(
        () -> {
          replies.execute(() -> threads.add(Thread.currentThread().getName()), () -> {});
          return 1;
        });
    assertThat(threads).hasSize(2).containsOnly(Thread.currentThread().getName());
  }
}
