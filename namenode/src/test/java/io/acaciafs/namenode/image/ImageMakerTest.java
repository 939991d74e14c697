package io.acaciafs.namenode.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.engine.Checkpoints;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.namenode.process.RunningWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageMakerTest {
  @TempDir private Path folder;
  private final RunningWork running = new RunningWork(Clock.systemUTC());

  /** Finds out which users may see the copy while it is made. */
  private final class Look implements Checkpoints {
    private String permissions = "";
    private List<RunningWork.Run> underWay = List.of();

    @Override
    public void make(Path copy) {
      underWay = running.now();
      try {
        permissions =
            PosixFilePermissions.toString(Files.getPosixFilePermissions(copy.getParent()));
      } catch (IOException e) {
        throw new StoreException("It is not there", e);
      }
      throw new StoreException("It was a look");
    }

    @Override
    public EngineStore open(Path copy) {
      throw new UnsupportedOperationException();
    }
  }

  /** It has the keys by which tokens are made. */
  @Test
  void nobodyElseReadsTheCopyOfTheStore() {
    Look look = new Look();
    ImageMaker maker =
        new ImageMaker(
            look,
            new ClusterIdentity(1, "CID-test", "BP-1", 0),
            folder.resolve("image.tmp"),
            running);
    assertThatThrownBy(maker::make)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("It was a look");
    assertThat(look.permissions).isEqualTo("rwx------");
    assertThat(look.underWay).hasSize(1);
    assertThat(look.underWay.get(0).name()).isEqualTo("Image");
    assertThat(look.underWay.get(0).progress())
        .isEqualTo(RunningWork.Progress.of("copying the store"));
    assertThat(running.now()).as("as it ended").isEmpty();
  }
}
