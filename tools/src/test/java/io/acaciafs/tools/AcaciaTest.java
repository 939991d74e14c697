package io.acaciafs.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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
  void failsWithOneSentence() {
    assertThat(Acacia.run("demo", "--rows", "0")).isEqualTo(1);
    assertThat(output()).isEqualToIgnoringNewLines("acacia: --rows must be 1 or more.");
  }
}
