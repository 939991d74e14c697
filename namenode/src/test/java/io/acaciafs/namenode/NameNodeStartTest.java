package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namenode.store.FolderToFill;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A NameNode starts on its own whole folder, or not at all. */
class NameNodeStartTest {
  @TempDir private Path folder;

  private final Configuration conf = new HdfsConfiguration();

  @BeforeEach
  void configure() {
    conf.set("dfs.namenode.name.dir", folder.toString());
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:0");
    conf.set("dfs.namenode.rpc-address", "127.0.0.1:0");
    conf.set("dfs.namenode.http-address", "127.0.0.1:0");
  }

  @Test
  void startsAndStartsAgain() throws IOException {
    NameNode.format(conf, "CID-test", false);
    for (int i = 0; i < 2; i++) {
      try (NameNode nameNode = NameNode.start(conf)) {
        assertThat(nameNode.rpcAddress().getPort()).isPositive();
      }
    }
  }

  @Test
  void answersByHttpUntilItEnds() throws Exception {
    NameNode.format(conf, "CID-test", false);
    NameNode nameNode = NameNode.start(conf);
    String address = "127.0.0.1:" + nameNode.httpAddress().getPort();
    try (nameNode) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://" + address + "/isActive")).build();
      assertThat(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).statusCode())
          .isEqualTo(200);
    }
    conf.set("dfs.namenode.http-address", address);
    NameNode.start(conf).close();
  }

  @Test
  void refusesAFolderWhoseStoreIsMissing() throws IOException {
    NameNode.format(conf, "CID-test", false);
    remove(folder.resolve("current/store"));

    assertThatThrownBy(() -> NameNode.start(conf))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is missing");
    assertThat(folder.resolve("current/store")).doesNotExist();
  }

  @Test
  void saysThatTheFileSystemIsKeptByAnotherEngine() throws IOException {
    NameNode.format(conf, "CID-test", false);
    Path version = folder.resolve("current/VERSION");
    Files.writeString(
        version, Files.readString(version).replace("acaciaEngine=rocksdb", "acaciaEngine=hbase"));

    assertThatThrownBy(() -> NameNode.start(conf))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("kept by the engine hbase, but acacia.store.engine says rocksdb");
  }

  @Test
  void aFormatThatDoesNotReachItsStoreLeavesTheFolderAsItWas() throws IOException {
    NameNode.format(conf, "CID-test", false);
    conf.set("acacia.store.engine", "hbase");
    assertThatThrownBy(() -> NameNode.format(conf, "CID-new", true))
        .hasMessageContaining("acacia.store.hbase.zookeeper");
    assertThatThrownBy(() -> FolderToFill.take(conf))
        .hasMessageContaining("acacia.store.hbase.zookeeper");

    conf.unset("acacia.store.engine");
    NameNode.start(conf).close();
  }

  @Test
  void isAloneInItsFolder() throws IOException {
    NameNode.format(conf, "CID-test", false);
    try (NameNode nameNode = NameNode.start(conf)) {
      assertThat(nameNode.rpcAddress()).isNotNull();
      assertThatThrownBy(() -> NameNode.start(conf)).hasMessageContaining("Cannot lock storage");
      assertThatThrownBy(() -> NameNode.format(conf, null, true))
          .hasMessageContaining("Cannot lock storage");
    }
  }

  @Test
  void formatsAgainOnlyByForce() throws IOException {
    NameNode.format(conf, "CID-one", false);
    assertThatThrownBy(() -> NameNode.format(conf, "CID-two", false))
        .hasMessageContaining("is formatted already");
    NameNode.format(conf, "CID-two", true);

    assertThat(Files.readString(folder.resolve("current/VERSION"))).contains("CID-two");
  }

  @Test
  void aSiteMayForbidToFormat() throws IOException {
    conf.setBoolean("dfs.namenode.support.allow.format", false);
    assertThatThrownBy(() -> NameNode.format(conf, null, true))
        .hasMessageContaining("The option dfs.namenode.support.allow.format is set to false");
    conf.unset("dfs.namenode.support.allow.format");
    conf.setBoolean("dfs.reformat.disabled", true);
    NameNode.format(conf, "CID-one", false);
    assertThatThrownBy(() -> NameNode.format(conf, "CID-two", true))
        .hasMessageContaining("NameNode format aborted as reformat is disabled for this cluster.");

    assertThat(Files.readString(folder.resolve("current/VERSION"))).contains("CID-one");
  }

  /** Nor is a folder formatted, or filled, that would be served unprotected. */
  @Test
  void doesNotServeWithoutTheProtectionThatItsSiteAsksFor() throws IOException {
    NameNode.format(conf, "CID-one", false);
    conf.set("dfs.namenode.authorization.provider.class", "org.example.Sentry");
    String refusal =
        "dfs.namenode.authorization.provider.class is 'org.example.Sentry', which this NameNode"
            + " does not do";
    assertThatThrownBy(() -> NameNode.start(conf)).hasMessageContaining(refusal);
    assertThatThrownBy(() -> NameNode.format(conf, "CID-two", true)).hasMessageContaining(refusal);
    assertThatThrownBy(() -> NameNode.bootstrap(conf)).hasMessageContaining(refusal);
    assertThatThrownBy(() -> FolderToFill.take(conf)).hasMessageContaining(refusal);

    conf.unset("dfs.namenode.authorization.provider.class");
    NameNode.start(conf).close();
  }

  private static void remove(Path path) throws IOException {
    try (Stream<Path> paths = Files.walk(path)) {
      List<Path> deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
      for (Path each : deepestFirst) {
        Files.delete(each);
      }
    }
  }
}
