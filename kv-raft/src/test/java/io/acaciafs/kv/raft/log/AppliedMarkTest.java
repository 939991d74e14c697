package io.acaciafs.kv.raft.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AppliedMarkTest {
  @TempDir private Path folder;

  @Test
  void isReadAsItWasWritten() throws Exception {
    assertThat(AppliedMark.isIn(folder)).isFalse();
    AppliedMark.NONE.write(folder);
    assertThat(AppliedMark.isIn(folder)).isTrue();
    assertThat(AppliedMark.read(folder)).isEqualTo(AppliedMark.NONE);
    AppliedMark mark = new AppliedMark(1_000_000_007, 3, 1_000_000_107);
    mark.write(folder);
    assertThat(AppliedMark.read(folder)).isEqualTo(mark);
  }

  @Test
  void refusesOneThatIsDamaged() throws Exception {
    new AppliedMark(20, 3, 30).write(folder);
    Path file = folder.resolve(AppliedMark.FILE);
    for (String damaged :
        new String[] {"", "20 3", Files.readString(file).replaceFirst("20", "21")}) {
      Files.writeString(file, damaged);
      assertThatThrownBy(() -> AppliedMark.read(folder))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("docs/ha.md");
    }
  }
}
