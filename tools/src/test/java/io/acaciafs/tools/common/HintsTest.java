package io.acaciafs.tools.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.BindException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class HintsTest {

  @Test
  void findsThePortInUseBelowOtherExceptions() {
    IOException failure =
        new IOException("outer", new BindException("[localhost:8020] Address already in use"));

    assertThat(Hints.isPortInUse(failure)).isTrue();
    assertThat(Hints.sentence(failure)).contains("in use").contains("localhost:8020");
  }

  @Test
  void tellsAnAddressOfAnotherMachineFromAPortInUse() {
    assertThat(Hints.sentence(new BindException("Cannot assign requested address: 192.0.2.1:1")))
        .contains("does not have the address")
        .doesNotContain("in use");
  }

  @Test
  void namesTheFolderThatAnotherProcessHolds() {
    assertThat(Hints.sentence(new IOException("While lock file: /x/LOCK: Resource unavailable")))
        .startsWith("The folder is in use by another process")
        .contains("/x/LOCK");
  }

  @Test
  void saysWhereItMayNotWrite() {
    assertThat(Hints.sentence(new AccessDeniedException("/data")))
        .isEqualTo("No permission to write /data.");
  }

  @Test
  void keepsASentenceThatSaysMoreThanItsCause() {
    IOException failure =
        new IOException("Cannot make the folder /a/b: no", new NoSuchFileException("/a"));
    assertThat(Hints.sentence(failure)).isEqualTo("Cannot make the folder /a/b: no");
    assertThat(Hints.sentence(new IOException(new NoSuchFileException("/a"))))
        .isEqualTo("There is no /a.");
  }

  @Test
  void saysWhatTheSystemSaysOfAFile() {
    assertThat(Hints.sentence(new FileSystemException("/a", null, "No space left on device")))
        .isEqualTo("Cannot use /a: No space left on device.");
    assertThat(Hints.sentence(new UnknownHostException("nowhere")))
        .isEqualTo("The host name is not known: nowhere.");
  }

  @Test
  void keepsOneLineOfWhatItDoesNotKnow() {
    assertThat(Hints.sentence(new IllegalStateException("first line\n\tat somewhere")))
        .isEqualTo("first line");
    assertThat(Hints.sentence(new IllegalStateException()))
        .contains("IllegalStateException")
        .contains("ACACIA_DEBUG");
  }
}
