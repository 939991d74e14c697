package io.acaciafs.tools.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files that others look at: ready file and lock. */
class FilesTest {

  @TempDir private Path folder;

  @Test
  void readyFileIsThereWhileItIsOpen() throws Exception {
    Path file = folder.resolve("sub/ready");
    try (ReadyFile ready = ReadyFile.write(file, Map.of("fs.defaultFS", "hdfs://h:1"))) {
      assertThat(ready).isNotNull();
      assertThat(Files.readAllLines(file))
          .containsExactly("fs.defaultFS=hdfs://h:1", "pid=" + ProcessHandle.current().pid());
    }
    assertThat(folder.resolve("sub")).isEmptyDirectory();
  }

  @Test
  void lockedFolderIsRefusedByName() throws Exception {
    FolderLock lock = FolderLock.take(folder);

    assertThatThrownBy(() -> FolderLock.take(folder))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining(folder.toString())
        .hasMessageContaining("in use");

    lock.close();
    FolderLock.take(folder).close();
  }
}
