package io.acaciafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.protocol.CacheableReply;
import io.acaciafs.rpc.protocol.MustWaitException;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import io.acaciafs.rpc.testkit.TestClient;
import io.acaciafs.rpc.testkit.TestService;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetResponseProto;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where methods with cacheable replies run, in a server whose calls may wait. */
@Timeout(30)
class MustWaitTest {
  private RpcServer server;
  private TestClient client;

  @BeforeEach
  void start() throws IOException {
    RpcProtocol protocol =
        RpcProtocol.builder(
                TestService.NAME, 1, ClientNamenodeProtocol.newReflectiveBlockingService(null))
            .cacheableMethod("getLinkTarget", GetLinkTargetRequestProto.class, true, this::answer)
            .build();
    server =
        RpcServer.start(
            RpcServerOptions.builder().mayWait(true).replyCacheBytes(0).build(), List.of(protocol));
    client = new TestClient(server);
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  @Test
  void aMethodThatNeedNotWaitRunsOnTheNetworkThread() throws IOException {
    assertThat(client.ask("at once")).startsWith("rpc-io-");
    assertThat(client.ask("later")).startsWith("rpc-io-");
  }

  @Test
  void aMethodThatMustWaitRunsAgainOnAWorker() throws IOException {
    assertThat(client.ask("throws")).startsWith("rpc-worker-");
    assertThat(client.ask("fails later")).startsWith("rpc-worker-");
    assertThat(server.metrics().snapshot().methods().get(TestService.NAME + ".getLinkTarget"))
        .satisfies(counted -> assertThat(counted.count()).as("each is one call").isEqualTo(2));
  }

  @Test
  void aFailureArrives() {
    assertThatThrownBy(() -> client.ask("is missing"))
        .isInstanceOfSatisfying(
            RemoteException.class,
            e -> assertThat(e.getClassName()).isEqualTo(FileNotFoundException.class.getName()));
  }

  private CompletionStage<CacheableReply> answer(RpcCall call, GetLinkTargetRequestProto request) {
    if (call.networkThread() == null) {
      return CompletableFuture.completedFuture(nameOfThread());
    }
    return switch (request.getPath()) {
      case "at once" -> CompletableFuture.completedFuture(nameOfThread());
      case "later" ->
          CompletableFuture.supplyAsync(() -> "comes from elsewhere")
              .thenApplyAsync(come -> nameOfThread(), call.networkThread());
      case "throws" -> throw new MustWaitException();
      case "fails later" ->
          CompletableFuture.supplyAsync(
              () -> {
                throw new CompletionException(new MustWaitException());
              },
              call.networkThread());
      default -> CompletableFuture.failedFuture(new FileNotFoundException(request.getPath()));
    };
  }

  private static CacheableReply nameOfThread() {
    return CacheableReply.uncached(
        GetLinkTargetResponseProto.newBuilder()
            .setTargetPath(Thread.currentThread().getName())
            .build());
  }
}
