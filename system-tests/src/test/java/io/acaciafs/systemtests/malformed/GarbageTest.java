package io.acaciafs.systemtests.malformed;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.RawRpc;
import io.acaciafs.systemtests.harness.Tree;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.RpcNoSuchMethodException;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Bytes that are no calls close their connection and nothing else. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GarbageTest {
  private static final String CLIENT_PROTOCOL = ClientProtocol.class.getName();

  private Cluster cluster;
  private List<String> before;

  @BeforeAll
  void start() throws Exception {
    cluster = Cluster.builder("garbage").dataNodes(0).start();
    cluster.fileSystem().mkdirs(new Path("/some/directory"));
    before = Tree.list(cluster.fileSystem());
  }

  @AfterAll
  void stop() throws Exception {
    cluster.close();
  }

  @AfterEach
  void stillServesTheSameNamespace() throws Exception {
    assertThat(Tree.list(cluster.fileSystem())).isEqualTo(before);
    assertThat(cluster.nameNode().isAlive()).isTrue();
  }

  @Test
  void randomBytesCloseTheConnection() throws Exception {
    Random random = new Random(1);
    for (int i = 0; i < 50; i++) {
      byte[] bytes = new byte[7 + random.nextInt(4096)];
      random.nextBytes(bytes);
      try (RawRpc rpc = new RawRpc(cluster.port())) {
        rpc.send(bytes).awaitClosed();
      }
    }
  }

  @Test
  void randomBytesAfterThePreambleCloseTheConnection() throws Exception {
    Random random = new Random(2);
    for (int i = 0; i < 50; i++) {
      byte[] bytes = new byte[64];
      random.nextBytes(bytes);
      try (RawRpc rpc = new RawRpc(cluster.port())) {
        rpc.sendPreamble().sendInt(bytes.length).send(bytes).awaitClosed();
      }
    }
  }

  @Test
  void impossibleLengthsCloseTheConnection() throws Exception {
    for (int length : new int[] {Integer.MAX_VALUE, -1, Integer.MIN_VALUE}) {
      try (RawRpc rpc = new RawRpc(cluster.port())) {
        rpc.sendPreamble().sendInt(length).awaitClosed();
      }
    }
  }

  @Test
  void wrongVersionIsRefused() throws Exception {
    try (RawRpc rpc = new RawRpc(cluster.port())) {
      rpc.send("hrpc".getBytes(StandardCharsets.US_ASCII)).send(new byte[] {8, 0, 0}).awaitClosed();
    }
  }

  @Test
  void unknownMethodIsAnsweredByName() throws Exception {
    RpcResponseHeaderProto response = call(CLIENT_PROTOCOL, "launchMissiles");
    assertThat(response.getExceptionClassName())
        .isEqualTo(RpcNoSuchMethodException.class.getName());
    assertThat(response.getErrorMsg()).contains("launchMissiles");
  }

  @Test
  void unknownProtocolIsAnsweredByName() throws Exception {
    RpcResponseHeaderProto response = call("org.example.NoProtocol", "getFileInfo");
    assertThat(response.getExceptionClassName())
        .isEqualTo(RpcNoSuchProtocolException.class.getName());
    assertThat(response.getErrorMsg()).contains("org.example.NoProtocol");
  }

  /** All fields of a request may be missing; a required one must not be. */
  @Test
  void requestWithoutItsFieldsIsAnError() throws Exception {
    call(CLIENT_PROTOCOL, "getFileInfo");
  }

  private RpcResponseHeaderProto call(String protocol, String method) throws Exception {
    try (RawRpc rpc = new RawRpc(cluster.port())) {
      rpc.sendPreamble().sendContext("someone", CLIENT_PROTOCOL).sendCall(7, protocol, method);
      RpcResponseHeaderProto response = rpc.readResponse();
      assertThat(response.getCallId()).isEqualTo(7);
      assertThat(response.getStatus()).isNotEqualTo(RpcStatusProto.SUCCESS);
      return response;
    }
  }
}
