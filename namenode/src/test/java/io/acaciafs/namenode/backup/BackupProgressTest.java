package io.acaciafs.namenode.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.engine.Checkpoints;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.namenode.process.RunningWork.Progress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How far a backup in a folder is, by what the folder holds. */
class BackupProgressTest {
  @TempDir private Path folder;
  private long all = 1_000;

  private final class Fake implements Checkpoints {
    @Override
    public void make(Path copy) {
      throw new UnsupportedOperationException();
    }

    @Override
    public EngineStore open(Path copy) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long bytes() {
      if (all < 0) {
        throw new StoreException("It is closed");
      }
      return all;
    }
  }

  @Test
  void theBytesThatAreThereAreDone() throws Exception {
    BackupFolder.Copier copier = BackupFolder.copierOf(new Fake());
    Path part = new BackupFolder(folder.resolve("backup")).part();
    assertThat(copier.progress(part)).isEqualTo(progress(0, 1_000));
    Files.createDirectories(part.resolve("store.tmp"));
    Files.write(part.resolve("store.tmp/1.sst"), new byte[600]);
    Files.write(part.resolve("store.tmp/log"), new byte[20]);
    assertThat(copier.progress(part)).isEqualTo(progress(620, 1_000));
  }

  @Test
  void whereTheStoreIsClosedTheWholeIsNotKnown() {
    BackupFolder.Copier copier = BackupFolder.copierOf(new Fake());
    all = -1;
    assertThat(copier.progress(folder)).isEqualTo(progress(0, -1));
  }

  private static Progress progress(long done, long total) {
    return new Progress("copying the store", done, total, "bytes");
  }
}
