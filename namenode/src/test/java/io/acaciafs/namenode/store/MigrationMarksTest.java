package io.acaciafs.namenode.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.copy.RowDigest;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MigrationMarksTest {
  private static final byte[] KEY = {0, -1, 61, 10};

  @TempDir private Path folder;

  private Path path() {
    return folder.resolve("migration");
  }

  private MigrationMarks read() throws Exception {
    return Objects.requireNonNull(MigrationMarks.read(path()));
  }

  @Test
  void anotherProcessFindsWhatWasNoted() throws Exception {
    assertThat(MigrationMarks.read(path())).isNull();
    MigrationMarks marks = MigrationMarks.begin(path(), "/a folder\nof = this");
    assertThat(read().isEmpty()).isTrue();
    marks.reach(NamespaceKeys.INODES, new byte[] {1});
    marks.reach(NamespaceKeys.INODES, KEY);
    marks.reach(NamespaceKeys.JOBS, new byte[0]);

    assertThat(read().from()).isEqualTo("/a folder\nof = this");
    assertThat(read().isEmpty()).isFalse();
    assertThat(read().isCompared()).isFalse();
    assertThat(read().reached(NamespaceKeys.INODES)).isEqualTo(KEY);
    assertThat(read().reached(NamespaceKeys.JOBS)).isEmpty();
    assertThat(read().reached(NamespaceKeys.ENTRIES)).isNull();

    marks.compared(new RowDigest(7, -8, 9));
    assertThat(read().isCompared()).isTrue();
    assertThat(read().digest()).isEqualTo(new RowDigest(7, -8, 9));

    marks.remove();
    assertThat(folder).isEmptyDirectory();
  }

  /** A kill between the writing and the renaming. */
  @Test
  void fileThatWasNotFinishedIsNoMark() throws Exception {
    MigrationMarks.begin(path(), "x").reach(NamespaceKeys.INODES, KEY);
    Files.writeString(folder.resolve("migration.part"), "table.inodes=");
    assertThat(read().reached(NamespaceKeys.INODES)).isEqualTo(KEY);
    read().reach(NamespaceKeys.JOBS, KEY);
    assertThat(folder).isDirectoryNotContaining("glob:**.part");
  }
}
