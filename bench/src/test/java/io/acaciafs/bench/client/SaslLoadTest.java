package io.acaciafs.bench.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.bench.sasl.Credentials;
import io.acaciafs.bench.sasl.TokenLogin;
import io.acaciafs.rpc.RpcServer;
import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.protocol.RpcProtocol;
import io.acaciafs.rpc.sasl.Authentication;
import io.acaciafs.rpc.sasl.TokenPasswords;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.FsPermissionProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.HdfsFileStatusProto;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.SaslRpcServer.QualityOfProtection;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that prove who they are before they call. */
class SaslLoadTest {
  private static final byte[] PASSWORD = "secret".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] IDENTIFIER =
      new DelegationTokenIdentifier(new Text("alice"), new Text(), new Text()).getBytes();

  private final Set<String> callers = ConcurrentHashMap.newKeySet();
  private final Set<Object> connections = ConcurrentHashMap.newKeySet();
  private RpcServer server;

  /** One token. */
  private static final class OneToken implements TokenPasswords {
    @Override
    public TokenIdentifier identifier(byte[] bytes) {
      DelegationTokenIdentifier identifier = new DelegationTokenIdentifier();
      try {
        identifier.readFields(new DataInputStream(new ByteArrayInputStream(bytes)));
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      return identifier;
    }

    @Override
    public CompletableFuture<byte[]> password(TokenIdentifier identifier, Executor here) {
      return CompletableFuture.completedFuture(PASSWORD);
    }
  }

  @BeforeEach
  void start() throws IOException {
    Configuration conf = new Configuration(false);
    conf.set("hadoop.rpc.protection", "privacy,integrity,authentication");
    RpcProtocol protocol =
        RpcProtocol.builder(
                Identity.PROTOCOL, 1, ClientNamenodeProtocol.newReflectiveBlockingService(null))
            .method(
                "getFileInfo",
                GetFileInfoRequestProto.class,
                (call, request) -> {
                  callers.add(call.user().toString());
                  connections.add(call.clientAddress());
                  return status();
                })
            .build();
    server =
        RpcServer.start(
            RpcServerOptions.builder()
                .bindAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .authentication(
                    Authentication.of(
                        conf, UserGroupInformation.createRemoteUser("server"), new OneToken()))
                .build(),
            List.of(protocol));
  }

  private static GetFileInfoResponseProto status() {
    return GetFileInfoResponseProto.newBuilder()
        .setFs(
            HdfsFileStatusProto.newBuilder()
                .setFileType(HdfsFileStatusProto.FileType.IS_FILE)
                .setPath(ByteString.EMPTY)
                .setLength(1)
                .setPermission(FsPermissionProto.newBuilder().setPerm(0))
                .setOwner("alice")
                .setGroup("users")
                .setModificationTime(0)
                .setAccessTime(0))
        .build();
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private static Credentials token(byte[] password, QualityOfProtection protection) {
    return Credentials.proved(new TokenLogin(IDENTIFIER, password, protection));
  }

  private static Recording run(LoadGenerator generator, Span span, int calls) throws IOException {
    return generator.run(
        slot -> new Stats(calls), span, Meter.NONE, (fraction, operationsPerSecond) -> {});
  }

  /** So many calls. */
  private static final class Stats implements CallSource {
    private final PathBuffer path = new PathBuffer().set(new byte[] {'/'});
    private int rest;

    Stats(int count) {
      rest = count;
    }

    @Override
    public Step next(Slot slot) {
      if (rest == 0) {
        return Step.END;
      }
      rest--;
      slot.call(Method.GET_FILE_INFO, path);
      return Step.CALL;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aTokenProvesWhoCalls(QualityOfProtection protection) throws Exception {
    try (LoadGenerator generator =
        LoadGenerator.connect(
            server.address(),
            new Shape(2, 4),
            1,
            token(PASSWORD, protection),
            0,
            new SplittableRandom(1))) {
      Recording recording = run(generator, Span.whole(), 100);
      assertThat(recording.failures()).isEmpty();
      assertThat(recording.latencies().getTotalCount()).isEqualTo(800);
      assertThat(callers).containsExactly("alice (auth:TOKEN)");
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachOperationHasAConnectionOfItsOwn(QualityOfProtection protection) throws Exception {
    try (LoadGenerator generator =
        LoadGenerator.reconnecting(
            server.address(), 3, 1, token(PASSWORD, protection), new SplittableRandom(1))) {
      Span span = new Span(Duration.ZERO, Duration.ofSeconds(1));
      Recording recording = run(generator, span, Integer.MAX_VALUE);
      assertThat(recording.failures()).isEmpty();
      assertThat(recording.latencies().getTotalCount()).isPositive();
      assertThat(connections).hasSizeGreaterThanOrEqualTo(3);
      assertThat((long) connections.size())
          .isGreaterThanOrEqualTo(recording.latencies().getTotalCount());
    }
  }

  @Test
  void aRefusalIsSaid() throws Exception {
    Credentials wrong = token(new byte[] {1}, QualityOfProtection.AUTHENTICATION);
    assertThatThrownBy(
            () ->
                LoadGenerator.connect(
                    server.address(), new Shape(1, 1), 1, wrong, 0, new SplittableRandom(1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("DIGEST-MD5");
    try (LoadGenerator generator =
        LoadGenerator.reconnecting(server.address(), 2, 1, wrong, new SplittableRandom(1))) {
      Recording recording = run(generator, Span.whole(), 1);
      assertThat(recording.failures()).containsOnlyKeys("NotConnected");
      assertThat(recording.failures().get("NotConnected").count()).isEqualTo(2);
    }
  }
}
