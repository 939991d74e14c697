package io.acaciafs.rpc.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.rpc.protocol.CallListener;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.testkit.TestService;
import java.io.FileNotFoundException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletionStage;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateSnapshotRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.GetECTopologyResultForPoliciesRequestProto;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.junit.jupiter.api.Test;

/** Methods answer calls from inside the process as they answer those of clients. */
class LocalCallsTest {
  private final UserGroupInformation alice = UserGroupInformation.createRemoteUser("alice");
  private final InetSocketAddress address = new InetSocketAddress("127.0.0.1", 7);
  private final TestService service = new TestService();
  private final LocalCalls calls = new LocalCalls(service.protocol(), CallListener.Provider.NONE);

  private CompletionStage<? extends Message> call(String method, Message request) throws Exception {
    return calls.call(alice, address, method, request);
  }

  private String linkTarget(String path) throws Exception {
    GetLinkTargetRequestProto request =
        GetLinkTargetRequestProto.newBuilder().setPath(path).build();
    Message reply = call("getLinkTarget", request).toCompletableFuture().join();
    return ((GetLinkTargetResponseProto) reply).getTargetPath();
  }

  @Test
  void theMethodGetsTheUserButNoCallId() throws Exception {
    assertThat(linkTarget("/a")).isEqualTo("/a");
    assertThat(linkTarget("user")).contains("alice");
    assertThat(linkTarget("thread")).isEqualTo(Thread.currentThread().getName());
    RpcCall call = service.calls.take();
    assertThat(call.clientAddress()).isEqualTo(address);
    assertThat(call.method()).isEqualTo("getLinkTarget");
    assertThat(call.callId()).isNegative();
    assertThat(call.clientId()).isEmpty();
  }

  @Test
  void theReplyIsTheMethodsFuture() throws Exception {
    var reply =
        call(
            "createSnapshot",
            CreateSnapshotRequestProto.newBuilder()
                .setSnapshotRoot("/")
                .setSnapshotName("one")
                .build());
    assertThat(reply.toCompletableFuture()).isNotDone();
    service.pending.take().answer();
    assertThat(reply.toCompletableFuture().join().toString()).contains("one");
  }

  @Test
  void aBlockingMethodRunsOnTheCallersThread() throws Exception {
    service.permits.release();
    var reply =
        call(
            "getECTopologyResultForPolicies",
            GetECTopologyResultForPoliciesRequestProto.getDefaultInstance());
    assertThat(reply.toCompletableFuture()).isCompleted();
  }

  @Test
  void throwsTheMethodsException() {
    assertThatThrownBy(() -> linkTarget("missing /x"))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage("/x");
    assertThatThrownBy(() -> call("fly", GetLinkTargetRequestProto.getDefaultInstance()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has no method fly");
  }
}
