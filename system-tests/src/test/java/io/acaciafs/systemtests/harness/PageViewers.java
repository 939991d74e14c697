package io.acaciafs.systemtests.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Viewers that leave a page of a NameNode open, and what they cost it. */
public final class PageViewers {
  /** Every request of an open page comes in it once at least. */
  public static final Duration RECORDED = Duration.ofSeconds(32);

  /** What a page asks for once has come then. */
  private static final int AT_REST_MS = 5_000;

  private static final int ROUND = 2_000;
  private static final int MOST_ROUNDS = 30;

  /** For which the JVM's compilers work in a round, at most, when there is little left to do. */
  private static final long COMPILED_MS = 50;

  private static final Duration CALM = Duration.ofSeconds(5);
  private static final double CALM_SHARE = 0.005;

  private static final String SCRIPT =
      "return performance.getEntriesByType('resource')"
          + ".map(each => [each.name, each.startTime - arguments[0]])";

  private final List<Asked> asked;

  private record Asked(HttpRequest request, long afterMs) {}

  private PageViewers(List<Asked> asked) {
    this.asked = asked;
  }

  /**
   * Leaves a page open in a browser, and notes what it asks for, and when.
   *
   * @param folder for the browser's profile
   */
  public static PageViewers record(Path folder, String page) throws IOException {
    try (Browser browser = Browser.startOrSkip(folder)) {
      browser.open(page);
      browser.await("return performance.now() > arguments[0]", AT_REST_MS);
      Object from = browser.run("performance.clearResourceTimings(); return performance.now()");
      browser.await(
          "return performance.now() > arguments[0] + arguments[1]", from, RECORDED.toMillis());
      List<Asked> asked = new ArrayList<>();
      for (Object each : (List<?>) browser.run(SCRIPT, from)) {
        List<?> entry = (List<?>) each;
        HttpRequest request = HttpRequest.newBuilder(URI.create((String) entry.get(0))).build();
        asked.add(new Asked(request, ((Number) entry.get(1)).longValue()));
      }
      assertThat(asked).as(page).isNotEmpty();
      return new PageViewers(asked);
    }
  }

  /** How many requests a viewer sends in a minute. */
  public double perMinute() {
    return asked.size() * (double) TimeUnit.MINUTES.toMillis(1) / RECORDED.toMillis();
  }

  /** Has the NameNode's JVM compile what answers the page, until little is left to compile. */
  public void warmUp() throws Exception {
    HttpClient http = newClient();
    for (int round = 0; round < MOST_ROUNDS; round++) {
      long beforeMs = compiledMs();
      for (int i = 0; i < ROUND; i++) {
        http.send(asked.get(i % asked.size()).request, BodyHandlers.discarding());
      }
      if (compiledMs() - beforeMs < COMPILED_MS) {
        return;
      }
    }
  }

  private long compiledMs() throws IOException {
    String address = asked.get(0).request.uri().getAuthority();
    return JmxBean.read(address, "java.lang:type=Compilation").get("TotalCompilationTime").asLong();
  }

  /** Of a core, that a NameNode takes while so many have the page open. */
  public double share(NameNodeProcess nameNode, int viewers, Duration time) throws Exception {
    ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);
    try {
      List<ScheduledFuture<?>> all = new ArrayList<>();
      for (int viewer = 0; viewer < viewers; viewer++) {
        HttpClient http = newClient(); // each has connections of its own
        long shiftMs = RECORDED.toMillis() * viewer / viewers;
        for (Asked each : asked) {
          all.add(
              threads.scheduleAtFixedRate(
                  () -> http.sendAsync(each.request, BodyHandlers.discarding()).join(),
                  (each.afterMs + shiftMs) % RECORDED.toMillis(),
                  RECORDED.toMillis(),
                  TimeUnit.MILLISECONDS));
        }
      }
      double share = idleShare(nameNode, time);
      assertThat(all).noneMatch(ScheduledFuture::isDone); // one that fails ends
      return share;
    } finally {
      threads.shutdownNow();
    }
  }

  /** Waits until a NameNode takes as much of a core as before: what it does beside is done. */
  public static void awaitCalm(NameNodeProcess nameNode) throws Exception {
    double last = idleShare(nameNode, CALM);
    for (int i = 0; i < MOST_ROUNDS; i++) {
      double next = idleShare(nameNode, CALM);
      if (Math.abs(next - last) < CALM_SHARE) {
        return;
      }
      last = next;
    }
  }

  /** Of a core, that a NameNode takes anyway. */
  public static double idleShare(NameNodeProcess nameNode, Duration time) throws Exception {
    Duration before = nameNode.cpuTime();
    TimeUnit.NANOSECONDS.sleep(time.toNanos());
    return (double) nameNode.cpuTime().minus(before).toNanos() / time.toNanos();
  }

  /** As browsers that speak HTTP 1.1. */
  private static HttpClient newClient() {
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }
}
