package io.acaciafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;

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

/** Which calls are answered by a reply that there is already. */
@Timeout(30)
class ReusableReplyTest {
  private RpcServer server;
  private int runs;
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
  void aReplyIsKeptWhenItsRequestComesTheSecondTime() throws IOException {
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
  void whatNoLongerHoldsIsAskedAgain() throws IOException {
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
  void aReplyForOneCallIsNotKept() throws IOException {
    isLasting = false;
    start(1 << 20);
    try (TestClient client = new TestClient(server)) {
      keep(client, "/a");
      assertThat(client.ask("/a")).isEqualTo("/a 3");
    }
  }

  @Test
  void aReplyWhoseTimeIsOverIsMadeAgain() throws IOException {
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
  void withoutRoomEveryCallRuns() throws IOException {
    start(0);
    try (TestClient client = new TestClient(server)) {
      keep(client, "/a");
      assertThat(client.ask("/a")).isEqualTo("/a 3");
    }
  }

  private void start(long replyCacheBytes) throws IOException {
    RpcProtocol protocol =
        RpcProtocol.builder(
                TestService.NAME, 1, ClientNamenodeProtocol.newReflectiveBlockingService(null))
            .reusableMethod("getLinkTarget", GetLinkTargetRequestProto.class, true, this::answer)
            .build();
    server =
        RpcServer.start(
            RpcServerOptions.builder().replyCacheBytes(replyCacheBytes).build(), List.of(protocol));
  }

  private CompletionStage<ReusableReply> answer(RpcCall call, GetLinkTargetRequestProto request) {
    runs++;
    GetLinkTargetResponseProto message =
        GetLinkTargetResponseProto.newBuilder()
            .setTargetPath(request.getPath() + " " + runs)
            .build();
    return CompletableFuture.completedFuture(
        isLasting
            ? new ReusableReply(message, again -> stillHolds).forAtMost(lastsMs)
            : ReusableReply.once(message));
  }

  private static void keep(TestClient client, String path) throws IOException {
    client.ask(path);
    client.ask(path);
  }
}
