package io.acaciafs.namenode.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.engine.Checkpoints;
import io.acaciafs.kv.engine.EngineStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageMakerTest {
  @TempDir private Path folder;

  /** Finds out which users may see the copy while it is made. */
  private static final class Look implements Checkpoints {
    private String permissions = "";

    @Override
    public void make(Path copy) {
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
            look, new ClusterIdentity(1, "CID-test", "BP-1", 0), folder.resolve("image.tmp"));
    assertThatThrownBy(maker::make)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("It was a look");
    assertThat(look.permissions).isEqualTo("rwx------");
  }
}
