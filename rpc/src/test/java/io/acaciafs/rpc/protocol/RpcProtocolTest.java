package io.acaciafs.rpc.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.rpc.testkit.TestService;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.FsyncRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.FsyncResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetRequestProto;
import org.junit.jupiter.api.Test;

/** A builder refuses methods that the service does not have. */
class RpcProtocolTest {
  private static RpcProtocol.Builder builder() {
    return RpcProtocol.builder(
        TestService.NAME, 1, ClientNamenodeProtocol.newReflectiveBlockingService(null));
  }

  @Test
  void knowsAllMethodsOfTheService() {
    RpcProtocol protocol =
        builder().method("getLinkTarget", GetLinkTargetRequestProto.class, (c, q) -> q).build();
    assertThat(protocol.methodNames()).contains("fsync", "getFileInfo", "getLinkTarget");
    assertThat(protocol.answeredMethodNames()).containsExactly("getLinkTarget");
  }

  @Test
  void refusesUnknownMethodsWrongRequestsAndDuplicates() {
    assertThatThrownBy(
            () -> builder().method("noSuchMethod", CreateRequestProto.class, (c, q) -> q))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("noSuchMethod");
    assertThatThrownBy(
            () -> builder().method("getLinkTarget", CreateRequestProto.class, (c, q) -> q))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("getLinkTarget takes");
    assertThatThrownBy(
            () ->
                builder()
                    .method("getLinkTarget", GetLinkTargetRequestProto.class, (c, q) -> q)
                    .method("getLinkTarget", GetLinkTargetRequestProto.class, (c, q) -> q))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("twice");
  }

  @Test
  void methodsAnsweredByAFutureCanBeRunAnotherWay() throws Exception {
    FsyncResponseProto reply = FsyncResponseProto.getDefaultInstance();
    RpcProtocol protocol =
        builder()
            .method("getLinkTarget", GetLinkTargetRequestProto.class, (c, q) -> q)
            .asyncMethod("fsync", FsyncRequestProto.class, (c, q) -> new CompletableFuture<>())
            .build();
    RpcProtocol other =
        protocol.runBy(
            Set.of("fsync", "getLinkTarget", "rename"),
            method -> (call, request) -> CompletableFuture.completedFuture(reply));
    assertThat(other.answeredMethodNames()).isEqualTo(protocol.answeredMethodNames());
    assertThat(other.methods().get("getLinkTarget"))
        .isEqualTo(protocol.methods().get("getLinkTarget"));
    assertThat(other.methods().get("rename")).isEqualTo(protocol.methods().get("rename"));
    MethodHandler.ByFuture fsync = (MethodHandler.ByFuture) other.methods().get("fsync").handler();
    assertThat(fsync.method().call(null, null).toCompletableFuture().join()).isSameAs(reply);
  }
}
