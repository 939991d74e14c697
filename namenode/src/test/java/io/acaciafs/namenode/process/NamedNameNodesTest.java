package io.acaciafs.namenode.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.rpc.RpcServer;
import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.proto.HAServiceProtocolProtos.HAServiceStateProto;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.HAServiceStateRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.HAServiceStateResponseProto;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshProtocolService;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshRequestProto;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshResponseCollectionProto;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshResponseProto;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which of several NameNodes is asked for what each of them can do. */
@Timeout(60)
class NamedNameNodesTest {
  private final Configuration conf = new HdfsConfiguration();
  private final List<RpcServer> servers = new ArrayList<>();
  private final List<String> asked = new ArrayList<>();

  @BeforeEach
  void configure() {
    conf.set("dfs.nameservices", "three");
    conf.set("dfs.ha.namenodes.three", "nn1,nn2,nn3");
    conf.setInt("ipc.client.connect.max.retries", 0);
  }

  @AfterEach
  void stop() throws Exception {
    for (RpcServer server : servers) {
      server.close();
    }
  }

  /**
   * @param refusal null: it does what it is asked for
   */
  private void start(String name, HAServiceStateProto state, @Nullable IOException refusal)
      throws Exception {
    RpcProtocol client =
        RpcProtocol.builder(
                "org.apache.hadoop.hdfs.protocol.ClientProtocol",
                1,
                ClientNamenodeProtocol.newReflectiveBlockingService(null))
            .method(
                "getHAServiceState",
                HAServiceStateRequestProto.class,
                (call, request) -> HAServiceStateResponseProto.newBuilder().setState(state).build())
            .otherwise(
                (call, request) -> {
                  throw new UnsupportedOperationException(call.method());
                })
            .build();
    RpcProtocol refresh =
        RpcProtocol.builder(
                "org.apache.hadoop.ipc.GenericRefreshProtocol",
                1,
                GenericRefreshProtocolService.newReflectiveBlockingService(null))
            .blockingMethod(
                "refresh",
                GenericRefreshRequestProto.class,
                (call, request) -> {
                  asked.add(name);
                  if (refusal != null) {
                    throw refusal;
                  }
                  return GenericRefreshResponseCollectionProto.newBuilder()
                      .addResponses(
                          GenericRefreshResponseProto.newBuilder()
                              .setExitStatus(0)
                              .setUserMessage(request.getIdentifier() + " " + request.getArgs(0)))
                      .build();
                })
            .build();
    RpcServer server =
        RpcServer.start(RpcServerOptions.builder().build(), List.of(client, refresh));
    servers.add(server);
    conf.set("dfs.namenode.rpc-address.three." + name, "127.0.0.1:" + server.address().getPort());
  }

  private String ask() throws IOException {
    return NamedNameNodes.of(conf).askStandbyFirst("do", "it");
  }

  @Test
  void oneThatStandsByIsAskedBeforeTheOneThatLeads() throws Exception {
    start("nn1", HAServiceStateProto.ACTIVE, null);
    start("nn2", HAServiceStateProto.OBSERVER, null);
    start("nn3", HAServiceStateProto.OBSERVER, null);
    assertThat(ask()).startsWith("do it nn2 made it, on its machine ");
    conf.set("dfs.ha.namenode.id", "nn3");
    assertThat(ask()).contains("nn3 made it");
    conf.set("dfs.ha.namenode.id", "nn1");
    assertThat(ask()).contains("nn2 made it");
  }

  /** They lag behind, or are of a version that makes none while it stands by. */
  @Test
  void theLeaderIsAskedWhereTheOthersCannot() throws Exception {
    start("nn1", HAServiceStateProto.OBSERVER, new StandbyException("not all is here yet"));
    start("nn2", HAServiceStateProto.ACTIVE, null);
    start("nn3", HAServiceStateProto.STANDBY, new RpcNoSuchProtocolException("Unknown protocol"));
    assertThat(ask()).contains("nn2 made it");
    assertThat(asked).containsExactly("nn1", "nn3", "nn2");
  }

  @Test
  void oneThatDoesNotAnswerIsNotAsked() throws Exception {
    start("nn1", HAServiceStateProto.ACTIVE, null);
    start("nn2", HAServiceStateProto.OBSERVER, null);
    servers.remove(1).close();
    start("nn3", HAServiceStateProto.OBSERVER, null);
    assertThat(ask()).contains("nn3 made it");
    assertThat(asked).containsExactly("nn3");
  }

  /** As a folder that is there already: another one would make it elsewhere. */
  @Test
  void aRefusalEndsTheSearch() throws Exception {
    start("nn1", HAServiceStateProto.OBSERVER, new IOException("is there already"));
    start("nn2", HAServiceStateProto.OBSERVER, null);
    start("nn3", HAServiceStateProto.ACTIVE, null);
    assertThatThrownBy(this::ask)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is there already");
    assertThat(asked).containsExactly("nn1");
  }

  @Test
  void aCertainOneIsAskedWhateverItIs() throws Exception {
    start("nn1", HAServiceStateProto.ACTIVE, null);
    start("nn2", HAServiceStateProto.OBSERVER, null);
    start("nn3", HAServiceStateProto.OBSERVER, null);
    assertThat(NamedNameNodes.of(conf).ask("nn1", "do", "it")).contains("nn1 made it");
    assertThatThrownBy(() -> NamedNameNodes.of(conf).ask("nn4", "do", "it"))
        .hasMessage("nn4 is none of the NameNodes [nn1, nn2, nn3]");
  }
}
