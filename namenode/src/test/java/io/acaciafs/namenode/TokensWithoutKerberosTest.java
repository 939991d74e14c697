package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslAuth;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslState;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client that holds a token speaks SASL, also to a NameNode that believes what clients say. */
@Timeout(120)
class TokensWithoutKerberosTest {
  private static final Path OPEN = new Path("/open");

  @TempDir static File folder;
  private static RunningNameNode nameNode;

  @BeforeAll
  static void start() throws Exception {
    nameNode =
        new RunningNameNode(folder, Map.of("dfs.namenode.delegation.token.always-use", "true"));
    nameNode.fileSystem().mkdirs(OPEN);
    nameNode.fileSystem().setPermission(OPEN, new FsPermission((short) 0777));
  }

  @AfterAll
  static void stop() throws Exception {
    nameNode.close();
  }

  private static DistributedFileSystem holder(Token<?> token) throws Exception {
    UserGroupInformation holder = UserGroupInformation.createRemoteUser("bob");
    holder.addToken(token);
    URI uri = nameNode.fileSystem().getUri();
    return holder.doAs(
        (PrivilegedExceptionAction<DistributedFileSystem>)
            () -> (DistributedFileSystem) FileSystem.newInstance(uri, new HdfsConfiguration()));
  }

  /** As by HDFS's, which takes tokens whatever its settings say of them. */
  @Test
  void byDefaultAClientThatAsksIsOfferedBoth(@TempDir File other) throws Exception {
    try (RunningNameNode byDefault = new RunningNameNode(other, Map.of());
        GssClient stranger =
            new GssClient(
                byDefault.nameNode().rpcAddress().getPort(),
                UserGroupInformation.createRemoteUser("stranger"),
                "auth")) {
      RpcSaslProto offer = stranger.negotiate();
      assertThat(offer.getState()).isEqualTo(SaslState.NEGOTIATE);
      assertThat(offer.getAuthsList())
          .extracting(SaslAuth::getMethod)
          .containsExactly("TOKEN", "SIMPLE");
    }
  }

  @Test
  void aClientWithATokenOfAnotherServiceJustNamesItself() throws Exception {
    Token<TokenIdentifier> other =
        new Token<>(new byte[3], new byte[20], new Text("OTHER"), new Text("10.1.2.3:1"));
    try (DistributedFileSystem bobs = holder(other)) {
      Path made = new Path(OPEN, "by-name");
      assertThat(bobs.mkdirs(made)).isTrue();
      assertThat(bobs.getFileStatus(made).getOwner()).isEqualTo("bob");
    }
  }

  @Test
  void theTokenIsOfferedFirstAndMakesTheClientItsOwner() throws Exception {
    Token<?> token;
    try (DistributedFileSystem alices = nameNode.fileSystem("alice")) {
      token = alices.getDelegationToken("yarn");
    }
    try (DistributedFileSystem bobs = holder(token)) {
      Path made = new Path(OPEN, "by-token");
      assertThat(bobs.mkdirs(made)).isTrue();
      assertThat(bobs.getFileStatus(made).getOwner()).isEqualTo("alice");
    }
    DelegationTokenIdentifier forged =
        new DelegationTokenIdentifier(new Text("alice"), new Text("yarn"), new Text());
    try (DistributedFileSystem bobs =
        holder(new Token<>(forged.getBytes(), new byte[20], token.getKind(), token.getService()))) {
      assertThatThrownBy(() -> bobs.getFileStatus(OPEN))
          .hasMessageContaining("can't be found in cache");
    }
  }
}
