package io.acaciafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetRequestProto;
import org.junit.jupiter.api.Test;

/** Mistakes in a protocol or in options are found before anything is served. */
class RpcProtocolTest {
  private static RpcProtocol.Builder builder() {
    return RpcProtocol.builder(
        TestService.NAME, 1, ClientNamenodeProtocol.newReflectiveBlockingService(null));
  }

  @Test
  void aProtocolKnowsAllMethodsOfItsService() {
    RpcProtocol protocol =
        builder().method("getLinkTarget", GetLinkTargetRequestProto.class, (c, q) -> q).build();
    assertThat(protocol.methodNames()).contains("fsync", "getFileInfo", "getLinkTarget");
    assertThat(protocol.answeredMethodNames()).containsExactly("getLinkTarget");
  }

  @Test
  void methodsMustExistTakeTheirRequestAndBeGivenOnce() {
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
  void aVersionOfAProtocolIsServedOnce() {
    assertThatThrownBy(
            () ->
                RpcServer.start(
                    RpcServerOptions.builder().build(),
                    List.of(builder().build(), builder().build())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("served twice");
  }

  @Test
  void optionsAreReadFromHadoopsConfiguration() {
    Configuration conf = new Configuration(false);
    assertThat(RpcServerOptions.from(conf)).isEqualTo(RpcServerOptions.builder().build());
    conf.setInt("ipc.maximum.data.length", 1234);
    conf.setInt("ipc.client.connection.maxidletime", 7000);
    conf.setInt("acacia.rpc.worker.threads", 3);
    RpcServerOptions options = RpcServerOptions.from(conf);
    assertThat(options.maxFrameBytes()).isEqualTo(1234);
    assertThat(options.idleTimeoutMs()).isEqualTo(14_000);
    assertThat(options.workerThreads()).isEqualTo(3);
    assertThat(options.toBuilder().build()).isEqualTo(options);
  }

  @Test
  void impossibleOptionsAreRefused() {
    assertThatThrownBy(() -> RpcServerOptions.builder().ioThreads(0).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ioThreads");
    assertThatThrownBy(
            () -> RpcServerOptions.builder().terseExceptions(Set.of()).maxFrameBytes(0).build())
        .hasMessageContaining("maxFrameBytes");
  }
}
