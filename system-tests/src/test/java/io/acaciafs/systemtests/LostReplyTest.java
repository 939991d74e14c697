package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.LossyClient;
import io.acaciafs.systemtests.harness.LossyClient.Between;
import java.io.IOException;
import java.util.EnumSet;
import java.util.stream.Stream;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The connection ends after a call was sent and before its reply came; Hadoop's client sends the
 * call again. It takes effect once, and the client sees the first answer.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LostReplyTest {
  private static final Path FOLDER = new Path("/lost-reply");
  private static final long BLOCK_SIZE = 1 << 20;

  private Cluster cluster;
  private LossyClient client;
  private ClientProtocol nameNode;
  private DistributedFileSystem fs;

  @BeforeAll
  void start() throws Exception {
    cluster =
        Cluster.builder("lost-reply")
            .dataNodes(0)
            .set("acacia.symlinks.enabled", true)
            .set("dfs.namenode.delegation.token.always-use", true)
            .start();
    fs = cluster.fileSystem();
    client = new LossyClient(cluster);
    nameNode = client.nameNode();
  }

  @AfterAll
  void stop() throws Exception {
    client.close();
    cluster.close();
  }

  @BeforeEach
  void makeFiles() throws IOException {
    fs.delete(FOLDER, true);
    fs.mkdirs(FOLDER);
    fs.create(path("old")).close();
  }

  @AfterEach
  void checkThatAReplyWasLost() throws Exception {
    assertThat(client.hasLost()).isTrue();
  }

  private static Path path(String name) {
    return new Path(FOLDER, name);
  }

  private static String src(String name) {
    return FOLDER + "/" + name;
  }

  private long fileId(String name) throws IOException {
    return fs.getClient().getFileInfo(src(name)).getFileId();
  }

  Stream<Between> between() {
    return LossyClient.between(cluster);
  }

  private HdfsFileStatus create(String name, CreateFlag... flags) throws IOException {
    EnumSet<CreateFlag> set = EnumSet.of(CreateFlag.CREATE, flags);
    return nameNode.create(
        src(name),
        FsPermission.getFileDefault(),
        "client",
        new EnumSetWritable<>(set),
        true,
        (short) 1,
        BLOCK_SIZE,
        CryptoProtocolVersion.supported(),
        null,
        null);
  }

  @ParameterizedTest
  @MethodSource("between")
  void create(Between between) throws Exception {
    client.loseReplyTo("create", between);

    assertThat(create("folder/new").getFileId()).isEqualTo(fileId("folder/new"));
  }

  @ParameterizedTest
  @MethodSource("between")
  void createOverwritesOnce(Between between) throws Exception {
    long before = fileId("old");
    client.loseReplyTo("create", between);

    assertThat(create("old", CreateFlag.OVERWRITE).getFileId())
        .isEqualTo(fileId("old"))
        .isGreaterThan(before);
  }

  @ParameterizedTest
  @MethodSource("between")
  void delete(Between between) throws Exception {
    client.loseReplyTo("delete", between);

    assertThat(nameNode.delete(src("old"), false)).isTrue();
    assertThat(fs.exists(path("old"))).isFalse();
  }

  @ParameterizedTest
  @MethodSource("between")
  @SuppressWarnings("deprecation") // clients still call it
  void rename(Between between) throws Exception {
    client.loseReplyTo("rename", between);

    assertThat(nameNode.rename(src("old"), src("new"))).isTrue();
    assertThat(fs.exists(path("old"))).isFalse();
    assertThat(fs.exists(path("new"))).isTrue();
  }

  @ParameterizedTest
  @MethodSource("between")
  @DisabledIfSystemProperty(
      named = "acacia.under-test",
      matches = "hadoop",
      disabledReason = "has no switch for symlinks but in the process of a test")
  void createSymlink(Between between) throws Exception {
    client.loseReplyTo("createSymlink", between);

    nameNode.createSymlink("old", src("folder/link"), FsPermission.getDirDefault(), true);
    assertThat(fs.getClient().getLinkTarget(src("folder/link"))).isEqualTo("old");
  }

  @ParameterizedTest
  @MethodSource("between")
  void rename2(Between between) throws Exception {
    fs.create(path("new")).close();
    long moved = fileId("old");
    client.loseReplyTo("rename2", between);

    nameNode.rename2(src("old"), src("new"), Options.Rename.OVERWRITE);
    assertThat(fs.exists(path("old"))).isFalse();
    assertThat(fileId("new")).isEqualTo(moved);
  }

  @ParameterizedTest
  @MethodSource("between")
  void setXAttr(Between between) throws Exception {
    client.loseReplyTo("setXAttr", between);

    nameNode.setXAttr(src("old"), xattr(), EnumSet.of(XAttrSetFlag.CREATE));
    assertThat(fs.listXAttrs(path("old"))).containsExactly("user.x");
  }

  @ParameterizedTest
  @MethodSource("between")
  void removeXAttr(Between between) throws Exception {
    fs.setXAttr(path("old"), "user.x", new byte[0]);
    client.loseReplyTo("removeXAttr", between);

    nameNode.removeXAttr(src("old"), xattr());
    assertThat(fs.listXAttrs(path("old"))).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("between")
  @DisabledIfSystemProperty(
      named = "acacia.under-test",
      matches = "hadoop",
      disabledReason = "forgets tokens, and fails the repetition")
  void cancelDelegationToken(Between between) throws Exception {
    Token<DelegationTokenIdentifier> token = nameNode.getDelegationToken(new Text("renewer"));
    client.loseReplyTo("cancelDelegationToken", between);
    nameNode.cancelDelegationToken(token);
    assertThatThrownBy(() -> nameNode.cancelDelegationToken(token))
        .isInstanceOfSatisfying(
            RemoteException.class,
            e -> assertThat(e.getClassName()).isEqualTo(InvalidToken.class.getName()))
        .hasMessageContaining("Token not found");
  }

  private static XAttr xattr() {
    return new XAttr.Builder().setNameSpace(XAttr.NameSpace.USER).setName("x").build();
  }
}
