package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.bench.fleet.Fleet;
import io.acaciafs.bench.fleet.Holdings;
import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Browser;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.JmxBean;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pages of a NameNode with a thousand DataNodes, and a directory of many entries, come soon, in
 * answers that are not large, and cost the NameNode little.
 */
@Tag("long")
class LargePagesTest {
  private static final int DATANODES = 1000;
  private static final int ENTRIES = Integer.getInteger("acacia.page-entries", 20_000);
  private static final int STORAGES = 12;
  private static final int VIEWERS = 10;
  private static final long MOST_BYTES = 1 << 20;
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration MEASURED = Duration.ofSeconds(60);

  @TempDir private Path folder;

  private record Asked(String path, int everyMs) {}

  @Test
  void comeSoonAndCostLittle() throws Exception {
    try (Cluster cluster = Cluster.builder("large-pages").dataNodes(0).start();
        Fleet fleet =
            Fleet.start(
                new Fleet.Plan(DATANODES, "large-pages-", "root", Duration.ofSeconds(3), 2),
                List.of(new InetSocketAddress("127.0.0.1", cluster.port())),
                Holdings.NONE)) {
      fleet.storages(STORAGES);
      String url = "http://127.0.0.1:" + cluster.httpPort() + "/";
      Await.until(
          "the fleet",
          LIMIT,
          () ->
              JmxBean.read("127.0.0.1:" + cluster.httpPort(), "NameNode", "FSNamesystem")
                      .get("NumLiveDataNodes")
                      .asInt()
                  == DATANODES);
      fill(cluster.fileSystem());
      TreeMap<String, String> figures = new TreeMap<>();
      try (Browser browser = Browser.startOrSkip(folder)) {
        for (String page : List.of("overview", "datanodes", "files/many", "users", "work")) {
          browser.open(url + "index.html#/" + page); // fills what the NameNode keeps
          figures.put(page, look(browser, url, page));
        }
      }
      double idle = share(cluster, List.of(), url);
      double viewed =
          share(
              cluster,
              List.of(
                  new Asked("api/shell", 10_000),
                  new Asked("api/overview", 5000),
                  new Asked("health", 5000),
                  new Asked("api/problems", 5000),
                  new Asked("api/history", 5000),
                  new Asked("api/datanodes?limit=50", 5000)),
              url);
      figures.put("ten viewers", String.format("%.4f of a core", viewed - idle));
      System.out.println("LargePagesTest " + figures);
      assertThat(viewed - idle).as("%s", figures).isLessThan(0.01);
    }
  }

  private static void fill(DistributedFileSystem fs) throws Exception {
    fs.mkdirs(new org.apache.hadoop.fs.Path("/many"));
    var threads = Executors.newFixedThreadPool(16);
    try {
      List<Future<Boolean>> made = new ArrayList<>();
      for (int i = 0; i < ENTRIES; i++) {
        org.apache.hadoop.fs.Path path =
            new org.apache.hadoop.fs.Path(String.format("/many/entry-%07d", i));
        made.add(threads.submit(() -> fs.mkdirs(path)));
      }
      for (Future<Boolean> each : made) {
        assertThat(each.get()).isTrue();
      }
    } finally {
      threads.shutdown();
    }
  }

  /** When the page showed its content, and its largest answer. */
  private static String look(Browser browser, String url, String page) throws Exception {
    browser.open(url + "index.html#/" + page);
    Number shownMs =
        (Number) browser.run("return performance.getEntriesByName('shown')[0].startTime");
    Number bytes =
        (Number)
            browser.run(
                "return Math.max(...performance.getEntriesByType('resource')"
                    + ".map(each => each.decodedBodySize))");
    assertThat(bytes.longValue()).as(page).isLessThan(MOST_BYTES);
    assertThat(shownMs.doubleValue()).as(page).isLessThan(1000);
    browser.glance("large-" + page.replace('/', '-'));
    return String.format("%.0f ms, %d bytes at most", shownMs.doubleValue(), bytes.longValue());
  }

  /** Of a core, that the NameNode takes while viewers ask as their pages do. */
  private static double share(Cluster cluster, List<Asked> asked, String url) throws Exception {
    HttpClient http = HttpClient.newHttpClient();
    ScheduledExecutorService viewers = Executors.newScheduledThreadPool(2);
    try {
      List<ScheduledFuture<?>> all = new ArrayList<>();
      for (int viewer = 0; viewer < VIEWERS; viewer++) {
        for (Asked each : asked) {
          HttpRequest request = HttpRequest.newBuilder(URI.create(url + each.path())).build();
          all.add(
              viewers.scheduleAtFixedRate(
                  () -> http.sendAsync(request, BodyHandlers.discarding()).join(),
                  viewer * 500L,
                  each.everyMs(),
                  TimeUnit.MILLISECONDS));
        }
      }
      TimeUnit.SECONDS.sleep(20); // the JVM compiles what is new to it
      Duration before = cluster.nameNode().cpuTime();
      TimeUnit.NANOSECONDS.sleep(MEASURED.toNanos());
      Duration taken = cluster.nameNode().cpuTime().minus(before);
      assertThat(all).noneMatch(Future::isDone); // one that fails ends
      return (double) taken.toNanos() / MEASURED.toNanos();
    } finally {
      viewers.shutdownNow();
    }
  }
}
