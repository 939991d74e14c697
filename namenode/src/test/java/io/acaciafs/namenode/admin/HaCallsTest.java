package io.acaciafs.namenode.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namenode.RunningNameNode;
import io.acaciafs.namenode.ha.HaRole;
import io.acaciafs.namenode.reply.Callers;
import io.acaciafs.namenode.settings.NamespaceConfig;
import io.acaciafs.rpc.call.LocalCalls;
import io.acaciafs.rpc.protocol.CallListener;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.ha.proto.HAServiceProtocolProtos.GetServiceStatusRequestProto;
import org.apache.hadoop.ha.proto.HAServiceProtocolProtos.GetServiceStatusResponseProto;
import org.apache.hadoop.ha.proto.HAServiceProtocolProtos.HAServiceStateProto;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.tools.DFSHAAdmin;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code hdfs haadmin} says of a NameNode, and ends with. */
class HaCallsTest {
  @TempDir private File folder;

  /** What a command of haadmin came to, with the first line of what it said. */
  private record Ended(int code, String said) {}

  /** Collects what Hadoop's command says. */
  private static final class Haadmin extends DFSHAAdmin {
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    Haadmin(RunningNameNode nameNode) {
      PrintStream to = new PrintStream(said, true, StandardCharsets.UTF_8);
      out = to;
      errOut = to;
      Configuration conf = new HdfsConfiguration();
      conf.set("dfs.nameservices", "site");
      conf.set("dfs.ha.namenodes.site", "nn1,nn2");
      conf.set("dfs.namenode.rpc-address.site.nn1", nameNode.fileSystem().getUri().getAuthority());
      conf.set("dfs.namenode.rpc-address.site.nn2", "127.0.0.1:1");
      setConf(conf);
    }

    Ended of(String... arguments) throws Exception {
      int code = run(arguments);
      return new Ended(code, said.toString(StandardCharsets.UTF_8).lines().findFirst().orElse(""));
    }
  }

  private static Ended checkHealth(RunningNameNode nameNode) throws Exception {
    return new Haadmin(nameNode).of("-checkHealth", "nn1");
  }

  @Test
  void safeModeIsAnIllnessWhereTheSiteSaysSo() throws Exception {
    String setting = "dfs.ha.nn.not-become-active-in-safemode";
    try (RunningNameNode nameNode = new RunningNameNode(folder, Map.of(setting, "true"))) {
      assertThat(checkHealth(nameNode)).isEqualTo(new Ended(0, ""));
      nameNode.fileSystem().setSafeMode(SafeModeAction.ENTER);
      assertThat(checkHealth(nameNode))
          .isEqualTo(
              new Ended(
                  -1,
                  "Health check failed: The NameNode is configured to report UNHEALTHY to ZKFC in"
                      + " Safemode."));
      nameNode.fileSystem().setSafeMode(SafeModeAction.LEAVE);
      assertThat(checkHealth(nameNode)).isEqualTo(new Ended(0, ""));
    }
  }

  @Test
  void aDiskWithTooLittleRoomIsOne() throws Exception {
    String setting = "dfs.namenode.resource.du.reserved";
    try (RunningNameNode nameNode = new RunningNameNode(folder, Map.of(setting, "7e"))) {
      nameNode.fileSystem().setSafeMode(SafeModeAction.ENTER);
      assertThat(checkHealth(nameNode))
          .isEqualTo(new Ended(-1, "Health check failed: The NameNode has no resources available"));
    }
  }

  @Test
  void theOneThatIsActiveCannotBecomeAnObserver() throws Exception {
    try (RunningNameNode nameNode = new RunningNameNode(folder, Map.of())) {
      assertThat(new Haadmin(nameNode).of("-transitionToObserver", "nn1"))
          .isEqualTo(
              new Ended(
                  -1,
                  "transitionToObserver failed! Cannot transition from 'active' to 'observer'"));
    }
  }

  /** Three by Raft answer while they start: a client asks all for the one that is active. */
  @Test
  void aNameNodeThatStartsIsNoneYet() throws Exception {
    HaRole role =
        (HaRole)
            Proxy.newProxyInstance(
                HaRole.class.getClassLoader(),
                new Class<?>[] {HaRole.class},
                (proxy, method, arguments) -> HAServiceState.INITIALIZING);
    ServiceHealth unknown =
        new ServiceHealth() {
          @Override
          public void check() {
            throw new AssertionError("not asked");
          }

          @Override
          public String obstacle() {
            throw new AssertionError("not asked");
          }
        };
    Callers callers = new Callers(NamespaceConfig.namespace(new HdfsConfiguration()), null);
    Message status =
        new LocalCalls(new HaCalls(callers, role, unknown).protocol(), CallListener.Provider.NONE)
            .call(
                UserGroupInformation.getCurrentUser(),
                new InetSocketAddress("127.0.0.1", 1),
                "getServiceStatus",
                GetServiceStatusRequestProto.getDefaultInstance())
            .toCompletableFuture()
            .join();
    assertThat(status)
        .isEqualTo(
            GetServiceStatusResponseProto.newBuilder()
                .setState(HAServiceStateProto.INITIALIZING)
                .setReadyToBecomeActive(false)
                .setNotReadyReason("State is initializing")
                .build());
  }
}
