package io.acaciafs.rpc.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.rpc.RpcServer;
import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.testkit.Eventually;
import io.acaciafs.rpc.testkit.TestClient;
import io.acaciafs.rpc.testkit.TestService;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetResponseProto;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which calls are answered from the cache, and which replies are prefetched. */
@Timeout(30)
class CacheableReplyTest {
  private RpcServer server;
  private volatile int runs;
  private int pages;
  private boolean isLasting = true;
  private long lastsMs = Long.MAX_VALUE;
  private volatile boolean stillHolds = true;

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void aReplyIsCachedWhenItsRequestComesTheSecondTime() throws IOException {
    start(1 << 20);
    try (TestClient client = new TestClient(server)) {
      assertThat(List.of(client.ask("/a"), client.ask("/a"))).containsExactly("/a 1", "/a 2");
      assertThat(client.ask("/a")).isEqualTo("/a 2");
      assertThat(client.ask("/a")).isEqualTo("/a 2");
      assertThat(client.ask("/b")).isEqualTo("/b 3");
    }
    assertThat(server.metrics().snapshot().methods().get(TestService.NAME + ".getLinkTarget"))
        .satisfies(counted -> assertThat(counted.count()).isEqualTo(5));
  }

  @Test
  void anInvalidReplyIsMadeAgain() throws IOException {
    start(1 << 20);
    try (TestClient client = new TestClient(server)) {
      keep(client, "/a");
      stillHolds = false;
      assertThat(client.ask("/a")).isEqualTo("/a 3");
      stillHolds = true;
      assertThat(client.ask("/a")).isEqualTo("/a 3");
    }
  }

  @Test
  void anUncachedReplyIsNotCached() throws IOException {
    isLasting = false;
    start(1 << 20);
    try (TestClient client = new TestClient(server)) {
      keep(client, "/a");
      assertThat(client.ask("/a")).isEqualTo("/a 3");
    }
  }

  @Test
  void anExpiredReplyIsMadeAgain() throws IOException {
    lastsMs = 0;
    start(1 << 20);
    try (TestClient client = new TestClient(server)) {
      keep(client, "/a");
      assertThat(client.ask("/a")).isEqualTo("/a 3");
    }
    lastsMs = Long.MAX_VALUE;
    server.close();
    start(1 << 20);
    try (TestClient client = new TestClient(server)) {
      keep(client, "/a");
      assertThat(client.ask("/a")).isEqualTo("/a 5");
    }
  }

  @Test
  void usersDoNotSeeEachOthersReplies() throws IOException {
    start(1 << 20);
    try (TestClient client = new TestClient(server);
        TestClient other =
            new TestClient(
                server.address(),
                new Configuration(),
                UserGroupInformation.createRemoteUser("somebody-else"))) {
      keep(client, "/a");
      assertThat(other.ask("/a")).isEqualTo("/a 3");
      assertThat(client.ask("/a")).isEqualTo("/a 2");
    }
  }

  @Test
  void withoutACacheEveryCallRuns() throws IOException {
    start(0);
    try (TestClient client = new TestClient(server)) {
      keep(client, "/a");
      assertThat(client.ask("/a")).isEqualTo("/a 3");
    }
  }

  @Test
  void theLikelyNextReplyIsPrefetched() throws IOException {
    pages = 4;
    start(1 << 20);
    try (TestClient client = new TestClient(server)) {
      assertThat(client.ask("/1")).isEqualTo("/1 1");
      for (int page = 2; page <= pages; page++) {
        awaitRuns(page);
        assertThat(client.ask("/" + page)).isEqualTo("/" + page + " " + page);
      }
      assertThat(client.ask("/other")).isEqualTo("/other 5");
      // what was made ahead has gone out, and is kept when it is asked for often, as all else
      assertThat(client.ask("/4")).isEqualTo("/4 6");
      assertThat(client.ask("/4")).isEqualTo("/4 6");
    }
  }

  @Test
  void nothingIsPrefetchedAfterAnInvalidReply() throws IOException {
    pages = 4;
    stillHolds = false;
    start(1 << 20);
    try (TestClient client = new TestClient(server)) {
      assertThat(List.of(client.ask("/1"), client.ask("/other"), client.ask("/2")))
          .containsExactly("/1 1", "/other 2", "/2 3");
    }
  }

  @Test
  void anInvalidPrefetchedReplyIsMadeAgain() throws IOException {
    pages = 2;
    start(1 << 20);
    try (TestClient client = new TestClient(server)) {
      assertThat(client.ask("/1")).isEqualTo("/1 1");
      awaitRuns(2);
      stillHolds = false;
      assertThat(client.ask("/2")).isEqualTo("/2 3");
    }
  }

  @Test
  void withoutACacheNothingIsPrefetched() throws IOException {
    pages = 4;
    start(0);
    try (TestClient client = new TestClient(server)) {
      assertThat(List.of(client.ask("/1"), client.ask("/2"), client.ask("/4")))
          .containsExactly("/1 1", "/2 2", "/4 3");
    }
  }

  private void awaitRuns(int expected) {
    Eventually.await(expected + " runs", () -> runs == expected);
  }

  private void start(long replyCacheBytes) throws IOException {
    RpcProtocol protocol =
        RpcProtocol.builder(
                TestService.NAME, 1, ClientNamenodeProtocol.newReflectiveBlockingService(null))
            .cacheableMethod("getLinkTarget", GetLinkTargetRequestProto.class, true, this::answer)
            .build();
    server =
        RpcServer.start(
            RpcServerOptions.builder().replyCacheBytes(replyCacheBytes).build(), List.of(protocol));
  }

  private CompletionStage<CacheableReply> answer(RpcCall call, GetLinkTargetRequestProto request) {
    runs++;
    GetLinkTargetResponseProto message =
        GetLinkTargetResponseProto.newBuilder()
            .setTargetPath(request.getPath() + " " + runs)
            .build();
    CacheableReply reply =
        isLasting
            ? new CacheableReply(message, again -> stillHolds).withMaxAgeMs(lastsMs)
            : CacheableReply.uncached(message);
    return CompletableFuture.completedFuture(
        request.getPath().matches("/[0-9]+") ? reply.withLikelyNext(pageAfter(request)) : reply);
  }

  /** Null behind the last one. */
  private GetLinkTargetRequestProto pageAfter(GetLinkTargetRequestProto request) {
    int page = Integer.parseInt(request.getPath().substring(1));
    return page < pages ? request.toBuilder().setPath("/" + (page + 1)).build() : null;
  }

  private static void keep(TestClient client, String path) throws IOException {
    client.ask(path);
    client.ask(path);
  }
}
