package io.acaciafs.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AcaciaTest {
  private final PrintStream stdout = System.out;
  private final PrintStream stderr = System.err;
  private final ByteArrayOutputStream output = new ByteArrayOutputStream();

  @BeforeEach
  void capture() {
    PrintStream stream = new PrintStream(output, true, StandardCharsets.UTF_8);
    System.setOut(stream);
    System.setErr(stream);
  }

  @AfterEach
  void release() {
    System.setOut(stdout);
    System.setErr(stderr);
  }

  private String output() {
    return output.toString(StandardCharsets.UTF_8);
  }

  @Test
  void listsItsCommandsWhenCalledWithNone() {
    assertThat(Acacia.run()).isEqualTo(2);
    assertThat(output())
        .contains("standalone", "namenode", "datanode", "format", "dfsadmin", "fsck");
  }

  @Test
  void refusesAnUnknownOption() {
    assertThat(Acacia.run("standalone", "--nope")).isEqualTo(2);
    assertThat(output()).contains("--nope");
  }

  @Test
  void saysHowHadoopsCheckIsCalled() {
    assertThat(Acacia.run("fsck", "-help")).isZero();
    assertThat(output()).contains("-list-corruptfileblocks");
    assertThat(Acacia.run("fsck", "-files")).isNotZero();
  }

  @Test
  void printsVersionsThatTheBuildFilledIn() {
    assertThat(Acacia.run("version")).isZero();
    assertThat(output()).containsPattern("Acacia \\d").containsPattern("Hadoop \\d");
  }

  @Test
  void passesWhatLooksLikeOptionsToTheShell() {
    assertThat(Acacia.run("fs", "-help", "ls")).isZero();
    assertThat(output()).contains("-ls [-C]");
  }

  @Test
  void measuresNothingForAPageThatIsNotThere(@TempDir Path folder) {
    Path page = folder.resolve("none.md");
    String[] command = {"bench", "walks", "--dir", folder.toString(), "--page", page.toString()};
    assertThat(Acacia.run(command)).isEqualTo(1);
    assertThat(output()).contains(page + " cannot be written; nothing was measured");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void showsTheLayoutThatWasChosenAtTheFormat(@TempDir Path folder) {
    String names = "dfs.namenode.name.dir=" + folder.resolve("names").toUri();
    assertThat(Acacia.run("status", "-D", names)).isEqualTo(1);
    assertThat(Acacia.run("format", "-D", names, "-layout", "upside-down")).isEqualTo(1);
    assertThat(output()).contains("spread or locality, and not upside-down");
    String address = "fs.defaultFS=hdfs://127.0.0.1:8020";
    assertThat(Acacia.run("format", "-D", names, "-D", address, "-layout", "spread")).isZero();
    assertThat(Acacia.run("status", "-D", names)).isZero();
    assertThat(output())
        .containsPattern("Engine: +rocksdb")
        .containsPattern("Cluster: +CID-")
        .containsPattern("Row layout: +spread");
    assertThat(Acacia.run("format", "-D", names, "-D", address, "-force")).isZero();
    assertThat(Acacia.run("status", "-D", names)).isZero();
    assertThat(output()).containsPattern("Row layout: +locality");
  }

  @Test
  void asksTheNameNodeWhereItMayNotWriteTheFolder(@TempDir Path folder) throws Exception {
    String names = "dfs.namenode.name.dir=" + folder.toUri();
    String address = "fs.defaultFS=hdfs://127.0.0.1:8020";
    assertThat(Acacia.run("format", "-D", names, "-D", address)).isZero();
    Path lock = folder.resolve("in_use.lock");
    Files.deleteIfExists(lock);
    // may be written by nobody, not even by root
    Files.createSymbolicLink(lock, Path.of("/proc/sys/kernel/ostype"));
    String web = "dfs.namenode.http-address=127.0.0.1:1"; // where nobody listens
    assertThat(Acacia.run("check", "-D", names, "-D", address, "-D", web)).isEqualTo(255);
    assertThat(output())
        .contains("No permission to write " + lock)
        .contains("no NameNode answers at http://127.0.0.1:1");
    assertThat(Acacia.run("status", "-D", names, "-D", address)).isZero();
    assertThat(output()).contains("not readable by a user who may not write " + lock);
  }

  @Test
  void failsWithOneSentence() {
    assertThat(Acacia.run("demo", "--rows", "0")).isEqualTo(1);
    assertThat(output()).isEqualToIgnoringNewLines("acacia: --rows must be 1 or more.");
  }
}
