package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Distribution;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code bin/dist} makes runs where it was moved to, and builds nothing. */
class DistTest {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  @TempDir private static Path folder;
  private static Path moved;
  private static String acacia;

  @BeforeAll
  static void makeAndMove() throws Exception {
    Path made = folder.resolve("made");
    Distribution.make(made);
    moved = Files.move(made, folder.resolve("moved to here"));
    acacia = moved.resolve("bin/acacia").toString();
  }

  @Test
  void runsFromAnyFolder() throws Exception {
    assertThat(run(List.of(acacia, "version"), 0)).contains("Acacia ", "Hadoop 3.");
    String names = "dfs.namenode.name.dir=" + folder.resolve("name").toUri();
    assertThat(run(List.of(acacia, "format", "-D", names), 0)).contains("Formatted");
    assertThat(folder.resolve("name/current/VERSION")).exists();
    assertThat(run(List.of(acacia, "hbase-local", "--dir", "x"), 1))
        .contains("in a checkout alone");
    assertThat(run(List.of(acacia, "hbase-local", "--help"), 0)).contains("--servers");
    assertThat(run(List.of(acacia, "dist", "--help"), 0)).contains("acacia-VERSION.tar.gz");
    assertThat(run(List.of("env", "JAVA_HOME=/nowhere", acacia, "version"), 1))
        .contains("JAVA_HOME is /nowhere", "correct or unset JAVA_HOME");
    for (String server : List.of("namenode", "datanode")) {
      Path unit = moved.resolve("conf/systemd/acacia-" + server + ".service");
      assertThat(Files.readString(unit))
          .as("a folder where -metasave may write")
          .contains("LogsDirectory=acacia\nWorkingDirectory=/var/log/acacia\n");
    }
    assertThat(moved.resolve("target")).doesNotExist();
  }

  @Test
  void findsTheStandaloneThatRuns() throws Exception {
    Path ready = folder.resolve("ready");
    String home = "JAVA_OPTS=-Duser.home=" + folder;
    Process standalone =
        start(
            List.of(
                "env",
                home,
                acacia,
                "standalone",
                "--port=0",
                "--http-port=0",
                "--datanode-port=0",
                "--datanode-ipc-port=0",
                "--datanode-http-port=0",
                "--ready-file=" + ready),
            folder.resolve("standalone.txt"));
    try {
      Await.until("ready file", LIMIT, () -> Files.exists(ready) || !standalone.isAlive());
      Properties said = new Properties();
      try (Reader text = Files.newBufferedReader(ready)) {
        said.load(text);
      }
      assertThat(run(List.of("env", home, acacia, "status"), 0))
          .contains(folder.resolve(".acacia/name").toString())
          .containsPattern("Cluster: +CID-");
      String web = "dfs.namenode.http-address=" + said.getProperty("dfs.namenode.http-address");
      assertThat(run(List.of("env", home, acacia, "check", "-D", web), 0)).contains("HEALTHY");
      assertThat(filesForOthers(folder.resolve(".acacia/name"))).isEmpty();
    } finally {
      standalone.destroy();
      assertThat(standalone.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }

  /** Keys of tokens are rows of the store. */
  private static String filesForOthers(Path names) throws Exception {
    Process find =
        new ProcessBuilder("find", names.toString(), "-type", "f", "-perm", "/077")
            .redirectError(
                ProcessBuilder.Redirect.DISCARD) // files that the store removes meanwhile
            .start();
    return new String(find.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void archivesWithoutTheOutputOfTheDemo() throws Exception {
    assertThat(run(List.of(acacia, "archive"), 0).lines())
        .hasSize(2)
        .first()
        .asString()
        .startsWith("Starting file systems");
  }

  private static String run(List<String> command, int expectedCode)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, "output", ".txt");
    Process process = start(command, output);
    boolean ended = process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
    process.destroyForcibly();
    String text = Files.readString(output);
    assertThat(ended).as("%s ended", command.get(0)).isTrue();
    assertThat(process.exitValue()).as(text).isEqualTo(expectedCode);
    return text;
  }

  private static Process start(List<String> command, Path output) throws IOException {
    return new ProcessBuilder(command)
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }
}
