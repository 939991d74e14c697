package io.acaciafs.rpc.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.rpc.RpcServer;
import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.testkit.TestClient;
import io.acaciafs.rpc.testkit.TestService;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetResponseProto;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A listener gets the calls that end. */
@Timeout(30)
class CallListenerTest {
  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
  private RpcServer server;

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void everyCallIsPassedOnAlsoOneFromTheCache() throws Exception {
    server =
        RpcServer.start(
            RpcServerOptions.builder().build(),
            List.of(
                RpcProtocol.builder(
                        TestService.NAME,
                        1,
                        ClientNamenodeProtocol.newReflectiveBlockingService(null))
                    .cacheableMethod(
                        "getLinkTarget", GetLinkTargetRequestProto.class, true, this::answer)
                    .build()),
            (protocol, method) -> method.equals("getLinkTarget") ? this::note : null);
    try (TestClient client = new TestClient(server)) {
      client.ask("/a");
      client.ask("/a");
      client.ask("/a");
      assertThatThrownBy(() -> client.ask("/missing")).isInstanceOf(RemoteException.class);
    }
    assertThat(next()).isEqualTo("/a alice reply looked null");
    assertThat(next()).isEqualTo("/a alice reply looked null");
    assertThat(next()).isEqualTo("/a alice earlier null null");
    assertThat(next()).isEqualTo("/missing alice earlier null no such link");
  }

  @Test
  void callsOnWorkersAndByFutureArePassedOn() throws Exception {
    TestService service = new TestService();
    service.permits.release();
    server =
        RpcServer.start(
            RpcServerOptions.builder().build(),
            List.of(service.protocol()),
            (protocol, method) -> (call, reply, failure) -> told.add(call.method()));
    try (TestClient client = new TestClient(server)) {
      client.askWorker();
      client.askAsync("/now", "s");
    }
    assertThat(next()).isEqualTo("getECTopologyResultForPolicies");
    assertThat(next()).isEqualTo("createSnapshot");
  }

  private void note(EndedCall call, Object reply, Throwable failure) {
    try {
      String path = ((GetLinkTargetRequestProto) call.request()).getPath();
      told.add(
          path
              + " "
              + call.user().getUserName()
              + (reply == null ? " earlier " : " reply ")
              + call.attachment()
              + " "
              + (failure == null ? null : failure.getMessage()));
    } catch (IOException e) {
      told.add(e.toString());
    }
  }

  private CompletionStage<CacheableReply> answer(RpcCall call, GetLinkTargetRequestProto request)
      throws IOException {
    if (request.getPath().equals("/missing")) {
      throw new IOException("no such link");
    }
    call.attach("looked");
    return CompletableFuture.completedFuture(
        new CacheableReply(
            GetLinkTargetResponseProto.newBuilder().setTargetPath("/t").build(), again -> true));
  }

  private String next() throws InterruptedException {
    return told.poll(60, TimeUnit.SECONDS);
  }
}
