package io.acaciafs.kv.hbase.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Who may send a request, and when. */
class RequestLimiterTest {
  private final List<String> begun = new ArrayList<>();
  private final List<CompletableFuture<Void>> requests = new ArrayList<>();

  /** Of each request under way, the time after which it has taken long. */
  private final List<CompletableFuture<Boolean>> longTimes = new ArrayList<>();

  @Test
  void requestsInFlightAreLimitedAndTheLongestWaitingIsNext() {
    RequestLimiter limiter = limiterOf(2);
    List.of("a", "b", "c", "d").forEach(name -> ask(limiter, name));
    assertThat(begun).containsExactly("a", "b");
    requests.get(1).complete(null);
    assertThat(begun).containsExactly("a", "b", "c");
    requests.get(0).complete(null);
    assertThat(begun).containsExactly("a", "b", "c", "d");
    ask(limiter, "e");
    assertThat(begun).hasSize(4);
  }

  @Test
  void aPermitThatNoRequestWaitsForIsKept() {
    RequestLimiter limiter = limiterOf(1);
    for (int i = 0; i < 3; i++) {
      ask(limiter, "a");
      requests.get(i).complete(null);
    }
    assertThat(begun).hasSize(3);
  }

  @Test
  void aFailedRequestReturnsItsPermit() {
    RequestLimiter limiter = limiterOf(1);
    ask(limiter, "a");
    ask(limiter, "b");
    requests.get(0).completeExceptionally(new IllegalStateException());
    assertThat(begun).containsExactly("a", "b");
  }

  @Test
  void aSlowRequestReturnsItsPermitAndIsTold() {
    RequestLimiter limiter = limiterOf(1);
    limiter.submit(request("one", new CompletableFuture<>(), () -> {}, () -> begun.add("late")));
    ask(limiter, "other");
    assertThat(begun).isEmpty();
    longTimes.get(0).complete(true);
    assertThat(begun).containsExactly("late", "other");
  }

  @Test
  void aSlowRequestThatEndsReturnsNoSecondPermit() {
    RequestLimiter limiter = limiterOf(1);
    List.of("a", "b", "c").forEach(name -> ask(limiter, name));
    longTimes.get(0).complete(true);
    requests.get(0).complete(null);
    assertThat(begun).containsExactly("a", "b");
    assertThat(longTimes.get(1)).isNotDone();
    requests.get(1).complete(null);
    assertThat(begun).containsExactly("a", "b", "c");
    assertThat(longTimes.get(1)).as("nobody counts on").isCompletedWithValue(false);
  }

  @Test
  void requestsToASlowServerTakeNoPermitUntilItAnswersInTime() {
    RequestLimiter limiter = limiterOf(1);
    ask(limiter, "slow");
    longTimes.get(0).complete(true);
    ask(limiter, "slow");
    ask(limiter, "other");
    assertThat(begun).as("all at once").containsExactly("slow", "slow", "other");
    requests.get(1).complete(null);
    ask(limiter, "slow");
    assertThat(begun).as("waits for its turn").hasSize(3);
    requests.get(2).complete(null);
    assertThat(begun).hasSize(4);
  }

  @Test
  void whatIsDoneAtOnceEndsWithoutNesting() {
    RequestLimiter limiter = limiterOf(1);
    ask(limiter, "first");
    CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
    for (int i = 0; i < 100_000; i++) {
      limiter.submit(request("a", done, () -> begun.add("a"), () -> {}));
    }
    requests.get(0).complete(null);
    assertThat(begun).hasSize(100_001);
  }

  private RequestLimiter limiterOf(int most) {
    return new RequestLimiter(
        most,
        () -> {
          CompletableFuture<Boolean> longTime = new CompletableFuture<>();
          longTimes.add(longTime);
          return longTime;
        },
        Runnable::run);
  }

  private void ask(RequestLimiter limiter, String name) {
    CompletableFuture<Void> back = new CompletableFuture<>();
    requests.add(back);
    limiter.submit(request(name, back, () -> begun.add(name), () -> {}));
  }

  private static RequestLimiter.Request request(
      String server, CompletableFuture<Void> back, Runnable send, Runnable late) {
    return new RequestLimiter.Request() {
      @Override
      public Object server() {
        return server;
      }

      @Override
      public CompletableFuture<?> send() {
        send.run();
        return back;
      }

      @Override
      public void isLate() {
        late.run();
      }
    };
  }
}
