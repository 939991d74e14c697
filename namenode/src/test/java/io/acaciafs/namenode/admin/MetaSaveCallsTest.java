package io.acaciafs.namenode.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** metaSave writes into the folder of the logs and nowhere else. */
class MetaSaveCallsTest {
  @Test
  void filesAreInTheFolderOfTheLogs() throws IOException {
    assertThat(MetaSaveCalls.fileIn("/var/log", "x")).isEqualTo(Path.of("/var/log/x"));
    assertThat(MetaSaveCalls.fileIn("/var/log", "/x")).isEqualTo(Path.of("/var/log/x"));
    assertThat(MetaSaveCalls.fileIn("/var/log", "a/../x").normalize())
        .isEqualTo(Path.of("/var/log/x"));
    assertThat(MetaSaveCalls.fileIn(".", "x").normalize()).isEqualTo(Path.of("x"));
    assertThat(MetaSaveCalls.fileIn("/var/log", "..x")).isEqualTo(Path.of("/var/log/..x"));
  }

  @Test
  void namesThatLeadOutOfItAreRefused() {
    for (String folder : new String[] {"/var/log", "logs", "."}) {
      for (String name : new String[] {"../x", "..", "/../x", "a/../../x"}) {
        assertThatThrownBy(() -> MetaSaveCalls.fileIn(folder, name))
            .as(folder + " " + name)
            .isInstanceOf(IOException.class)
            .hasMessage("The file " + name + " is not in the folder " + folder);
      }
    }
  }

  @Test
  void withoutAFolderNothingIsWritten() {
    assertThatThrownBy(() -> MetaSaveCalls.fileIn(null, "x"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("-Dhadoop.log.dir=FOLDER");
  }
}
