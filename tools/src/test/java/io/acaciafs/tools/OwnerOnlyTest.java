package io.acaciafs.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.testkit.SecretForms;
import io.acaciafs.namenode.NameNode;
import io.acaciafs.namenode.store.NameDirectory;
import io.acaciafs.namenode.store.StoreEngine;
import io.acaciafs.namespace.token.MasterKeyRow;
import io.acaciafs.namespace.token.TokenKeys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * What holds a store, and so the keys of tokens, is its owner's alone, whatever makes it; and no
 * command prints them.
 */
@Timeout(300)
class OwnerOnlyTest {
  /** Of files of a name directory that are beside the store: they tell nothing. */
  private static final Set<String> OPEN = Set.of("in_use.lock");

  private static final Set<PosixFilePermission> OF_OTHERS =
      Set.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_EXECUTE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_EXECUTE);

  @TempDir private Path folder;
  @RegisterExtension private final CommandOutput output = new CommandOutput();

  /** As most users have it: what is closed was closed on purpose. */
  @BeforeEach
  void filesAreOpenByDefault() throws IOException {
    assertThat(isOpen(Files.createFile(folder.resolve("any")))).as("umask is 022").isTrue();
  }

  private void run(String name, String command, String... more) {
    Path names = folder.resolve(name);
    Stream<String> settings =
        Stream.of(
            "-D",
            "dfs.namenode.name.dir=" + names.toUri(),
            "-D",
            "fs.defaultFS=hdfs://127.0.0.1:8020");
    String[] arguments =
        Stream.of(Stream.of(command), settings, Stream.of(more))
            .flatMap(each -> each)
            .toArray(String[]::new);
    assertThat(Acacia.run(arguments)).as("%s", output).isZero();
  }

  private static boolean isOpen(Path path) {
    try {
      return Files.getPosixFilePermissions(path).stream().anyMatch(OF_OTHERS::contains);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Nobody else can read a file, by its own mode or by one of the folders around it. */
  private static void assertClosed(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      List<Path> all = files.filter(Files::isRegularFile).toList();
      assertThat(all).isNotEmpty();
      assertThat(all)
          .allSatisfy(
              file -> {
                boolean isOpen = isOpen(file) && !OPEN.contains(file.getFileName().toString());
                for (Path each = file.getParent();
                    isOpen && each.startsWith(root);
                    each = Objects.requireNonNull(each.getParent())) {
                  isOpen = isOpen(each);
                }
                assertThat(isOpen).as("others can read it").isFalse();
              });
    }
  }

  @Test
  void whatCommandsMakeIsTheirUsersAlone() throws Exception {
    run("name", "format");
    Map<String, byte[]> secrets = issueToken("name");
    assertClosed(folder.resolve("name"));
    run("name", "status");
    run("name", "check");
    Path backup = folder.resolve("backup");
    run("name", "backup", backup.toString());
    assertClosed(backup);
    Path images = folder.resolve("images");
    run("name", "export", "--fsimage=" + images);
    assertClosed(images);
    run("restored", "restore", backup.toString());
    assertClosed(folder.resolve("restored"));
    Path image;
    try (Stream<Path> files = Files.list(images.resolve("current"))) {
      image =
          files
              .filter(file -> file.getFileName().toString().matches("fsimage_\\d+"))
              .findFirst()
              .orElseThrow();
    }
    run("imported", "import", "--dry-run", "--fsimage=" + image);
    run("imported", "import", "--fsimage=" + image);
    assertClosed(folder.resolve("imported"));
    run("imported", "check");
    assertThat(Files.readString(image, StandardCharsets.ISO_8859_1))
        .as("the image, which has the key")
        .contains(new String(secrets.get("key"), StandardCharsets.ISO_8859_1));
    assertThat(output.toString()).contains("Engine: ", "HEALTHY");
    secrets.forEach(
        (what, secret) ->
            assertThat(new SecretForms(secret).in(output.toString())).as(what).isEmpty());
  }

  /** By a NameNode on the folder; the token's password, and the key that it was made with. */
  private Map<String, byte[]> issueToken(String name) throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.set("dfs.namenode.name.dir", folder.resolve(name).toUri().toString());
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:0");
    conf.set("dfs.namenode.rpc-address", "127.0.0.1:0");
    conf.set("dfs.namenode.http-address", "127.0.0.1:0");
    conf.setBoolean("dfs.namenode.delegation.token.always-use", true);
    Token<?> token;
    try (NameNode nameNode = NameNode.start(conf)) {
      conf.set("fs.defaultFS", "hdfs://127.0.0.1:" + nameNode.rpcAddress().getPort());
      try (FileSystem fs = FileSystem.newInstance(conf)) {
        token = fs.getDelegationToken("yarn");
      }
    }
    int id = ((DelegationTokenIdentifier) token.decodeIdentifier()).getMasterKeyId();
    NameDirectory directory = NameDirectory.of(conf);
    try (EngineStore store = StoreEngine.of(conf, directory, directory.read(null)).open()) {
      byte[] row = store.get(TokenKeys.masterKey(id));
      return Map.of(
          "password", token.getPassword(), "key", MasterKeyRow.decode(id, row).getEncodedKey());
    }
  }

  @Test
  void soIsTheLogOfThree() throws Exception {
    run(
        "name",
        "format",
        "-D",
        "acacia.store.engine=raft",
        "-D",
        "acacia.store.raft.members=nn1=127.0.0.1:1,nn2=127.0.0.1:2,nn3=127.0.0.1:3",
        "-D",
        "dfs.nameservices=acacia",
        "-D",
        "dfs.ha.namenodes.acacia=nn1,nn2,nn3",
        "-D",
        "dfs.ha.namenode.id=nn1",
        "-D",
        "dfs.namenode.rpc-address.acacia.nn1=127.0.0.1:8020");
    assertClosed(folder.resolve("name"));
  }
}
