package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code bin/dist} makes runs where it was moved to, and builds nothing. */
class DistTest {
  private static final Path BIN = Path.of(System.getProperty("acacia.home"), "bin");

  @TempDir private Path folder;

  @Test
  void runsFromAnyFolder() throws Exception {
    Path made = folder.resolve("made");
    run(List.of(BIN.resolve("dist").toString(), jars(), made.toString()), 0);
    Path moved = Files.move(made, folder.resolve("moved to here"));
    String acacia = moved.resolve("bin/acacia").toString();

    assertThat(run(List.of(acacia, "version"), 0)).contains("Acacia ", "Hadoop 3.");
    // A core-site.xml in Hadoop's jars of tests hides the one in conf.
    String names = folder.resolve("name").toUri().toString();
    assertThat(
            run(
                List.of(
                    acacia,
                    "format",
                    "-D",
                    "dfs.namenode.name.dir=" + names,
                    "-D",
                    "fs.defaultFS=hdfs://127.0.0.1"),
                0))
        .contains("Formatted");
    assertThat(folder.resolve("name/current/VERSION")).exists();
    assertThat(run(List.of(acacia, "hbase-local", "--dir", "x"), 1))
        .contains("in a checkout alone");
    assertThat(run(List.of(acacia, "hbase-local", "--help"), 0)).contains("--servers");
    assertThat(run(List.of(acacia, "dist", "--help"), 0)).contains("acacia-VERSION.tar.gz");
    assertThat(run(List.of("env", "JAVA_HOME=/nowhere", acacia, "version"), 1))
        .contains("JAVA_HOME is /nowhere", "correct or unset JAVA_HOME");
    assertThat(moved.resolve("conf/systemd/acacia-namenode.service")).exists();
    assertThat(moved.resolve("target")).doesNotExist();
  }

  /** This JVM's class path without the tests' own folder. */
  private static String jars() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> entry.endsWith(".jar"))
        .distinct()
        .collect(Collectors.joining(File.pathSeparator));
  }

  private String run(List<String> command, int expectedCode)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, "output", ".txt");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = process.waitFor(60, TimeUnit.SECONDS);
    process.destroyForcibly();
    String text = Files.readString(output);
    assertThat(ended).as("%s ended", command.get(0)).isTrue();
    assertThat(process.exitValue()).as(text).isEqualTo(expectedCode);
    return text;
  }
}
