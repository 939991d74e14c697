package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.bench.fleet.Fleet;
import io.acaciafs.bench.fleet.Holdings;
import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Browser;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.JmxBean;
import io.acaciafs.systemtests.harness.NameNodeProcess;
import io.acaciafs.systemtests.harness.PageViewers;
import io.acaciafs.systemtests.harness.RawRpc;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MkdirsRequestProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pages of a NameNode with a thousand DataNodes, ten thousand users and a directory of many
 * entries come soon, in answers that are not large, and cost the NameNode little while they are
 * open. A browser tells which requests an open page sends; ten viewers repeat them. The NameNode
 * runs as in production, with both compilers of the JVM, and is measured when it has answered
 * enough requests to be no faster by more.
 */
@Tag("long")
class LargePagesTest {
  private static final int DATANODES = 1000;
  private static final int USERS = 10_000;
  private static final int ENTRIES = Integer.getInteger("acacia.page-entries", 100_000);
  private static final int STORAGES = 12;

  /** Rare: what heartbeats cost varies by more than what pages cost. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(20);

  private static final int VIEWERS = 10;
  private static final int CLIENTS = 8;

  /** Calls that a client sends before it reads the answers. */
  private static final int BATCH = 100;

  private static final long MOST_BYTES = 1 << 20;
  private static final double MOST_OF_A_CORE = 0.01;
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** Each request of an open page comes in it as often. */
  private static final Duration MEASURED = PageViewers.RECORDED.multipliedBy(2);

  private static final String PROTOCOL = "org.apache.hadoop.hdfs.protocol.ClientProtocol";

  @TempDir private Path folder;

  private interface Client {
    void call(int from, int to) throws IOException;
  }

  @Test
  void comeSoonAndCostLittle() throws Exception {
    assumeTrue(Browser.isInstalled(), "Chromium is not installed: the pages were not looked at");
    try (Cluster cluster =
            Cluster.builder("large-pages")
                .dataNodes(0)
                .jvmOptions("-XX:TieredStopAtLevel=4")
                .start();
        Fleet fleet =
            Fleet.start(
                new Fleet.Plan(DATANODES, "large-pages-", "root", HEARTBEAT, 2),
                List.of(new InetSocketAddress("127.0.0.1", cluster.port())),
                Holdings.NONE)) {
      fleet.storages(STORAGES);
      String url = "http://127.0.0.1:" + cluster.httpPort() + "/index.html#/";
      Map<String, Future<PageViewers>> recorded = record(url);
      cluster.fileSystem().mkdirs(new org.apache.hadoop.fs.Path("/many"));
      spread(ENTRIES, (from, to) -> makeEntries(cluster.port(), from, to));
      Await.until(
          "the fleet",
          LIMIT,
          () ->
              JmxBean.read("127.0.0.1:" + cluster.httpPort(), "NameNode", "FSNamesystem")
                      .get("NumLiveDataNodes")
                      .asInt()
                  == DATANODES);
      spread(USERS, (from, to) -> callAsUsers(cluster.port(), from, to));
      Map<String, PageViewers> viewers = new LinkedHashMap<>();
      for (Map.Entry<String, Future<PageViewers>> page : recorded.entrySet()) {
        viewers.put(page.getKey(), page.getValue().get());
      }
      TreeMap<String, String> figures = new TreeMap<>();
      try (Browser browser = Browser.startOrSkip(Files.createDirectory(folder.resolve("paint")))) {
        for (String page :
            List.of("overview", "history", "datanodes", "files/many", "users", "work")) {
          browser.open(url + page); // fills what the NameNode keeps
          figures.put(page, look(browser, url, page));
        }
      }
      measure(cluster.nameNode(), viewers, figures);
    }
  }

  /** What open pages ask for, each in a browser of its own. */
  private Map<String, Future<PageViewers>> record(String url) throws IOException {
    List<String> pages = List.of("overview", "datanodes", "users");
    ExecutorService threads = Executors.newFixedThreadPool(pages.size());
    Map<String, Future<PageViewers>> recorded = new LinkedHashMap<>();
    for (String page : pages) {
      Path profile = Files.createDirectory(folder.resolve(page));
      recorded.put(page, threads.submit(() -> PageViewers.record(profile, url + page)));
    }
    threads.shutdown();
    return recorded;
  }

  /** Parts of all, by some clients at a time. */
  private static void spread(int all, Client client) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Future<?>> parts = new ArrayList<>();
      for (int from = 0; from < all; from += BATCH) {
        int first = from;
        int end = Math.min(all, from + BATCH);
        parts.add(
            threads.submit(
                () -> {
                  client.call(first, end);
                  return null;
                }));
      }
      for (Future<?> part : parts) {
        part.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void makeEntries(int port, int from, int to) throws IOException {
    try (RawRpc rpc = new RawRpc(port)) {
      rpc.sendPreamble().sendContext("root", PROTOCOL);
      for (int i = from; i < to; i++) {
        rpc.sendCall(
            i,
            PROTOCOL,
            "mkdirs",
            MkdirsRequestProto.newBuilder()
                .setSrc(String.format("/many/entry-%07d", i))
                .setMasked(PBHelperClient.convert(FsPermission.getDirDefault()))
                .setCreateParent(false)
                .build());
      }
      for (int i = from; i < to; i++) {
        assertThat(rpc.readResponse().getStatus()).isEqualTo(RpcStatusProto.SUCCESS);
      }
    }
  }

  private static void callAsUsers(int port, int from, int to) throws IOException {
    GetFileInfoRequestProto request = GetFileInfoRequestProto.newBuilder().setSrc("/many").build();
    for (int i = from; i < to; i++) {
      try (RawRpc rpc = new RawRpc(port)) {
        rpc.sendPreamble()
            .sendContext(String.format("user-%05d", i), PROTOCOL)
            .sendCall(1, PROTOCOL, "getFileInfo", request);
        assertThat(rpc.readResponse().getStatus()).isEqualTo(RpcStatusProto.SUCCESS);
      }
    }
  }

  /** When the page showed its content, and its largest answer. */
  private static String look(Browser browser, String url, String page) throws Exception {
    browser.open(url + page);
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

  /** Each page, open before all viewers. */
  private static void measure(
      NameNodeProcess nameNode, Map<String, PageViewers> pages, Map<String, String> figures)
      throws Exception {
    for (PageViewers page : pages.values()) {
      page.warmUp();
    }
    PageViewers.awaitCalm(nameNode);
    Map<String, Double> more = new LinkedHashMap<>();
    double before = PageViewers.idleShare(nameNode, MEASURED);
    for (Map.Entry<String, PageViewers> page : pages.entrySet()) {
      double viewed = page.getValue().share(nameNode, VIEWERS, MEASURED);
      double after = PageViewers.idleShare(nameNode, MEASURED);
      more.put(page.getKey(), viewed - (before + after) / 2);
      figures.put(
          "ten viewers of " + page.getKey(),
          String.format(
              "%.4f of a core, without them %.4f before and %.4f after; %.0f requests a minute each",
              viewed, before, after, page.getValue().perMinute()));
      before = after;
    }
    System.out.println("LargePagesTest " + figures);
    assertThat(more.values())
        .as("%s", figures)
        .allSatisfy(share -> assertThat(share).isLessThan(MOST_OF_A_CORE));
  }
}
