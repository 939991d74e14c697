package io.acaciafs.rpc.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.rpc.testkit.TestService;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateRequestProto;
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
}
