package io.acaciafs.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.tools.common.FolderLock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/troubleshooting.md has the messages of a NameNode that does not start. Each test makes the
 * failure and looks for the printed message in a row.
 */
class TroubleshootingTest {
  private static final Path PAGE = Path.of("..", "docs", "troubleshooting.md");

  private final ClassLoader loader = Thread.currentThread().getContextClassLoader();
  @RegisterExtension private final CommandOutput output = new CommandOutput();

  @TempDir private Path folder;

  @AfterEach
  void release() {
    Thread.currentThread().setContextClassLoader(loader);
  }

  /** The texts in the first column of the page's tables; three dots and N, M stand for anything. */
  private static List<Pattern> texts() throws IOException {
    return Files.readString(PAGE)
        .lines()
        .filter(line -> line.startsWith("| `"))
        .map(line -> line.substring(3, line.indexOf('`', 3)))
        .map(
            text ->
                Arrays.stream(text.split("\\.\\.\\.|\\b[NM]\\b", -1))
                    .map(Pattern::quote)
                    .collect(Collectors.joining(".*")))
        .map(Pattern::compile)
        .toList();
  }

  private String names() {
    return "dfs.namenode.name.dir=" + folder.resolve("name").toUri();
  }

  private void format() {
    assertThat(Acacia.run("format", "-D", names(), "-D", "fs.defaultFS=hdfs://127.0.0.1:1"))
        .isZero();
    output.reset();
  }

  /**
   * Starts a NameNode that must not start.
   *
   * @param settings as NAME=VALUE
   */
  private void assertRefusalIsOnThePage(String... settings) throws IOException {
    List<String> command = new ArrayList<>(List.of("namenode"));
    List<String> all =
        new ArrayList<>(
            List.of(
                names(),
                "fs.defaultFS=hdfs://127.0.0.1:0",
                "dfs.namenode.http-address=127.0.0.1:0"));
    all.addAll(Arrays.asList(settings));
    all.forEach(setting -> command.addAll(List.of("-D", setting)));
    assertThat(Acacia.run(command.toArray(String[]::new))).isEqualTo(1);
    String said = output.toString().lines().reduce("", (before, line) -> line);
    assertThat(said).startsWith("acacia: ");
    assertThat(texts())
        .as("a row of %s for: %s", PAGE, said)
        .anyMatch(text -> text.matcher(said).find());
  }

  @Test
  void folderIsNotFormatted() throws Exception {
    assertRefusalIsOnThePage();
  }

  @Test
  void settingIsNotAllowed() throws Exception {
    assertRefusalIsOnThePage("acacia.sweep.interval=soon");
  }

  @Test
  void folderIsInUse() throws Exception {
    format();
    try (FolderLock lock = FolderLock.take(folder.resolve("name"))) {
      assertThat(lock).isNotNull();
      assertRefusalIsOnThePage();
    }
  }

  @Test
  void portIsInUse() throws Exception {
    format();
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      assertRefusalIsOnThePage("fs.defaultFS=hdfs://127.0.0.1:" + other.getLocalPort());
      assertRefusalIsOnThePage("dfs.namenode.http-address=127.0.0.1:" + other.getLocalPort());
    }
  }

  @Test
  void addressIsAnotherMachines() throws Exception {
    format();
    assertRefusalIsOnThePage("fs.defaultFS=hdfs://192.0.2.1:8020");
  }

  @Test
  void hostIsUnknown() throws Exception {
    format();
    assertRefusalIsOnThePage("fs.defaultFS=hdfs://nowhere.invalid:8020");
    assertRefusalIsOnThePage("dfs.namenode.http-address=nowhere.invalid:8021");
  }

  @Test
  void folderIsHadoops() throws Exception {
    Path current = Files.createDirectories(folder.resolve("name/current"));
    Files.writeString(
        current.resolve("VERSION"), "namespaceID=1\nclusterID=CID-1\nlayoutVersion=-66\n");
    assertRefusalIsOnThePage();
  }

  @Test
  void folderWasNotFilledWhole() throws Exception {
    Path current = Files.createDirectories(folder.resolve("name/current"));
    for (String command : List.of("FORMATTING", "RESTORING", "IMPORTING")) {
      Path mark = Files.createFile(current.resolve(command));
      assertRefusalIsOnThePage();
      Files.delete(mark);
    }
  }

  @Test
  void folderIsAnotherClusters() throws Exception {
    format();
    assertRefusalIsOnThePage("acacia.cluster.id=CID-other");
  }

  @Test
  void folderIsOfANewerVersion() throws Exception {
    format();
    Path version = folder.resolve("name/current/VERSION");
    Files.writeString(
        version, Files.readString(version).replaceAll("acaciaFormat=\\d+", "acaciaFormat=999"));
    assertRefusalIsOnThePage();
  }

  @Test
  void storeIsGone() throws Exception {
    format();
    Files.move(folder.resolve("name/current/store"), folder.resolve("elsewhere"));
    assertRefusalIsOnThePage();
  }

  @Test
  void versionIsGone() throws Exception {
    format();
    Files.delete(folder.resolve("name/current/VERSION"));
    assertRefusalIsOnThePage();
  }

  @Test
  void versionWasCutOff() throws Exception {
    format();
    Path version = folder.resolve("name/current/VERSION");
    Files.write(version, Arrays.copyOf(Files.readAllBytes(version), 70));
    assertRefusalIsOnThePage();
    Files.write(version, new byte[0]);
    assertRefusalIsOnThePage();
  }

  @Test
  void aFileOfTheStoreIsGone() throws Exception {
    format();
    Files.delete(folder.resolve("name/current/store/CURRENT"));
    assertRefusalIsOnThePage();
    assertThat(output.toString()).contains("its file CURRENT is missing");
  }

  @Test
  void twoFoldersAreNamed() throws Exception {
    assertRefusalIsOnThePage("dfs.namenode.name.dir=/nowhere/a,/nowhere/b");
  }

  @Test
  void zooKeeperIsNotNamed() throws Exception {
    format();
    assertRefusalIsOnThePage("acacia.store.engine=hbase");
  }

  @Test
  void authenticationIsNotThere() throws Exception {
    format();
    assertRefusalIsOnThePage("hadoop.security.authentication=kerberos");
  }

  @Test
  void folderIsABackup() throws Exception {
    format();
    String backup = folder.resolve("backup").toString();
    assertThat(Acacia.run("backup", "-D", names(), backup)).isZero();
    assertRefusalIsOnThePage("dfs.namenode.name.dir=" + backup);
  }

  @Test
  void folderCannotBeMade() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    output.reset();
    assertThat(
            Acacia.run(
                "format",
                "-D",
                "dfs.namenode.name.dir=" + file.resolve("name"),
                "-D",
                "fs.defaultFS=hdfs://127.0.0.1:1"))
        .isEqualTo(1);
    String said = output.toString().strip();
    assertThat(texts()).as(said).anyMatch(text -> text.matcher(said).find());
  }
}
