package io.acaciafs.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.tools.hadoop.HadoopCommand;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

class AcaciaTest {
  /** Commands with picocli's texts. */
  private static final Set<String> PICOCLIS = Set.of("help", "generate-completion");

  @RegisterExtension private final CommandOutput output = new CommandOutput();

  private String output() {
    return output.toString();
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
  void startsOneNameNodeWithKerberosOnLocalhostAlone(@TempDir Path folder) {
    for (String other : List.of("--namenodes=3", "--host=0.0.0.0")) {
      assertThat(Acacia.run("standalone", "--secure", other, "--dir=" + folder)).isEqualTo(2);
    }
    assertThat(output()).contains("--secure goes with one NameNode, on localhost.");
    assertThat(folder).isEmptyDirectory();
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
    assertThat(output())
        .contains("acacia.namespace.layout is upside-down; it must be spread or locality");
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
        .contains("no NameNode answers at http://127.0.0.1:1 (dfs.namenode.http-address)");
    assertThat(Acacia.run("status", "-D", names, "-D", address)).isZero();
    assertThat(output()).contains("not readable by a user who may not write " + lock);
  }

  @Test
  void everyHelpTextIsOnePieceThatTheTerminalWraps() {
    assertIsOnePiece(Acacia.commandLine(new Acacia()));
  }

  private static void assertIsOnePiece(CommandLine command) {
    UsageMessageSpec usage = command.getCommandSpec().usageMessage();
    String name = command.getCommandSpec().qualifiedName();
    assertThat(usage.header()).as(name).hasSizeLessThan(2);
    assertThat(usage.description()).as(name).hasSizeLessThan(2);
    String listed = usage.header().length > 0 ? usage.header()[0] : usage.description()[0];
    assertThat(listed).as(name).matches("[A-Z].*(\\.|e\\.g\\.: acacia .*)").hasSizeLessThan(100);
    for (OptionSpec option : command.getCommandSpec().options()) {
      assertThat(option.description()).as("%s %s", name, option.longestName()).hasSize(1);
    }
    command.getSubcommands().values().stream()
        .filter(below -> !PICOCLIS.contains(below.getCommandName()))
        .forEach(AcaciaTest::assertIsOnePiece);
  }

  @Test
  void runsWhatHdfsHas() {
    for (String name :
        List.of(
            "balancer",
            "mover",
            "haadmin",
            "storagepolicies",
            "distcp",
            "getconf",
            "groups",
            "ec",
            "crypto",
            "cacheadmin",
            "debug",
            "diskbalancer",
            "oiv",
            "oev",
            "lsSnapshottableDir")) {
      assertThat(HadoopCommand.of(name)).as(name).isPresent();
    }
    assertThat(Acacia.run("storagepolicies", "-help", "setStoragePolicy")).isZero();
    assertThat(output()).contains("-setStoragePolicy");
    assertThat(Acacia.run("oiv", "-h")).isZero();
    assertThat(output()).contains("Offline Image Viewer");
  }

  @Test
  void completesItsCommandsInAShell() {
    assertThat(Acacia.run("generate-completion")).isZero();
    assertThat(output()).contains("standalone", "storagepolicies", "--dry-run");
  }

  @Test
  void neitherFormatsNorServesABackup(@TempDir Path folder) throws Exception {
    String names = "dfs.namenode.name.dir=" + folder.resolve("names").toUri();
    String address = "fs.defaultFS=hdfs://127.0.0.1:8020";
    assertThat(Acacia.run("format", "-D", names, "-D", address)).isZero();
    Path backup = folder.resolve("backup");
    assertThat(Acacia.run("backup", "-D", names, "-D", address, backup.toString())).isZero();
    List<String> before = list(backup);
    for (Path place : List.of(backup, backup.resolve("name"))) {
      String wrong = "dfs.namenode.name.dir=" + place.toUri();
      output.reset();
      assertThat(Acacia.run("format", "-D", wrong, "-D", address, "-force")).isEqualTo(1);
      assertThat(Acacia.run("status", "-D", wrong, "-D", address)).isEqualTo(1);
      assertThat(output().lines())
          .hasSize(2)
          .allSatisfy(
              line -> assertThat(line).contains("a backup", "'acacia restore " + backup + "'"));
    }
    assertThat(list(backup)).isEqualTo(before);
  }

  @Test
  void formatsNothingOverFilesUnlessItIsForced(@TempDir Path folder) throws Exception {
    String names = "dfs.namenode.name.dir=" + folder.resolve("names").toUri();
    String address = "fs.defaultFS=hdfs://127.0.0.1:8020";
    assertThat(Acacia.run("format", "-D", names, "-D", address)).isZero();
    Files.delete(folder.resolve("names/current/VERSION"));
    List<String> before = list(folder.resolve("names/current"));
    output.reset();
    assertThat(Acacia.run("format", "-D", names, "-D", address)).isEqualTo(1);
    assertThat(Acacia.run("status", "-D", names, "-D", address)).isEqualTo(1);
    assertThat(output()).contains("holds files already", "but no VERSION");
    assertThat(list(folder.resolve("names/current"))).isEqualTo(before);
    assertThat(Acacia.run("format", "-D", names, "-D", address, "-force")).isZero();
    String inside = "dfs.namenode.name.dir=" + folder.resolve("names/current/x").toUri();
    assertThat(Acacia.run("format", "-D", inside, "-D", address, "-force")).isEqualTo(1);
    assertThat(output()).contains("the folder of another NameNode");
  }

  private static List<String> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.map(Path::toString).sorted().toList();
    }
  }

  @Test
  void saysWhichFolderItCannotMake(@TempDir Path folder) throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    String address = "fs.defaultFS=hdfs://127.0.0.1:8020";
    String inFile = "dfs.namenode.name.dir=" + file.resolve("name").toUri();
    assertThat(Acacia.run("format", "-D", inFile, "-D", address)).isEqualTo(1);
    assertThat(output())
        .contains("Cannot make the folder " + file + "/name (dfs.namenode.name.dir)")
        .contains("Not a directory");
    output.reset();
    assertThat(Acacia.run("standalone", "--dir=" + file.resolve("state"))).isEqualTo(1);
    assertThat(output()).contains("Cannot make the folder " + file + "/state/log");
  }

  @Test
  void saysWhichNameNodeDoesNotAnswer(@TempDir Path folder) throws Exception {
    String names = "dfs.namenode.name.dir=" + folder.toUri();
    String address = "fs.defaultFS=hdfs://127.0.0.1:8020";
    String web = "dfs.namenode.http-address=127.0.0.1:1"; // where nobody listens
    assertThat(Acacia.run("format", "-D", names, "-D", address)).isZero();
    output.reset();
    try (FileChannel other =
            FileChannel.open(
                folder.resolve("in_use.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock held = other.lock()) {
      assertThat(held.isValid()).isTrue();
      assertThat(Acacia.run("check", "-D", names, "-D", address, "-D", web)).isEqualTo(255);
    }
    assertThat(output())
        .isEqualToIgnoringNewLines(
            "acacia: The store is in use by another process, and no NameNode answers at"
                + " http://127.0.0.1:1 (dfs.namenode.http-address).");
  }

  @Test
  void looksAtPortsBeforeItFormats(@TempDir Path folder) {
    Path state = folder.resolve("state");
    for (String option :
        List.of(
            "--port",
            "--http-port",
            "--datanode-port",
            "--datanode-ipc-port",
            "--datanode-http-port")) {
      for (String port : List.of("99999", "-1")) {
        output.reset();
        assertThat(Acacia.run("standalone", "--dir=" + state, option + "=" + port)).isEqualTo(2);
        assertThat(output()).startsWith(port + " is no port: ports go from 1 to 65535");
      }
    }
    assertThat(state).doesNotExist();
  }

  @Test
  void saysThatTheFolderIsAFile(@TempDir Path folder) throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    String names = "dfs.namenode.name.dir=" + file.toUri();
    String address = "fs.defaultFS=hdfs://127.0.0.1:8020";
    for (String command : List.of("format", "namenode", "status", "check", "backup", "export")) {
      output.reset();
      List<String> arguments = new ArrayList<>(List.of(command, "-D", names, "-D", address));
      if (command.equals("backup")) {
        arguments.add(folder.resolve("target").toString());
      } else if (command.equals("export")) {
        arguments.add("--fsimage=" + folder.resolve("target"));
      }
      assertThat(Acacia.run(arguments.toArray(String[]::new))).as(command).isNotZero();
      assertThat(output().lines())
          .as(command)
          .singleElement()
          .asString()
          .contains(file + " (dfs.namenode.name.dir)")
          .contains("Not a directory");
    }
  }

  @Test
  void distCpsHelpIsNoFailure() {
    assertThat(Acacia.run("distcp", "-help")).isZero();
    assertThat(output()).contains("usage: distcp OPTIONS").doesNotContain("Exception");
  }

  @Test
  void namesTheImageInAFolder(@TempDir Path folder) throws Exception {
    Path current = Files.createDirectory(folder.resolve("current"));
    Files.createFile(current.resolve("fsimage_0000000000000000007"));
    Path newest = Files.createFile(current.resolve("fsimage_0000000000000000012"));
    Files.createFile(current.resolve("fsimage_0000000000000000012.md5"));
    assertThat(Acacia.run("import", "--dry-run", "--fsimage=" + folder)).isEqualTo(1);
    assertThat(output()).contains(folder + " is a folder", "e.g. " + newest);
  }

  @Test
  void saysWhatComesAfterATrialOfAnImage(@TempDir Path folder) throws Exception {
    String names = "dfs.namenode.name.dir=" + folder.resolve("names").toUri();
    String address = "fs.defaultFS=hdfs://127.0.0.1:8020";
    assertThat(Acacia.run("format", "-D", names, "-D", address)).isZero();
    Path images = folder.resolve("images");
    assertThat(Acacia.run("export", "-D", names, "-D", address, "--fsimage=" + images)).isZero();
    String image =
        list(images).stream().filter(file -> file.matches(".*/fsimage_\\d+")).findFirst().get();
    String empty = "dfs.namenode.name.dir=" + folder.resolve("empty").toUri();
    output.reset();
    assertThat(Acacia.run("import", "--dry-run", "-D", empty, "--fsimage=" + image)).isZero();
    assertThat(output()).contains("Nothing was changed. Next: ", "without --dry-run");
    assertThat(folder.resolve("empty")).doesNotExist();
  }

  @Test
  void failsWithOneSentence() {
    assertThat(Acacia.run("demo", "--rows", "0")).isEqualTo(1);
    assertThat(output()).isEqualToIgnoringNewLines("acacia: --rows must be 1 or more.");
  }
}
