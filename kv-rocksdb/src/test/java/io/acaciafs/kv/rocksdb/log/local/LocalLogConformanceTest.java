package io.acaciafs.kv.rocksdb.log.local;

import io.acaciafs.kv.rocksdb.log.CommitLog;
import io.acaciafs.kv.rocksdb.log.LogConformance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** The log on this machine's disk, on one that fails. */
class LocalLogConformanceTest extends LogConformance {
  private int folders;

  @Override
  protected Machine newMachine(long seed) throws IOException {
    return new Local(newFolder(), new FaultyDisk());
  }

  private Path newFolder() throws IOException {
    return Files.createDirectory(scratch.resolve("folder-" + folders++));
  }

  private final class Local implements Machine {
    private final Path folder;
    private final FaultyDisk disk;

    Local(Path folder, FaultyDisk disk) {
      this.folder = folder;
      this.disk = disk;
    }

    @Override
    public CommitLog open(CommitLog.Replay replay) {
      return LocalLog.open(folder, SEGMENT_BYTES, replay, disk);
    }

    @Override
    public CommitLog open(Path copy, CommitLog.Replay replay) {
      return LocalLog.open(copy, SEGMENT_BYTES, replay);
    }

    @Override
    public void failSoon(Random random) {
      if (random.nextBoolean()) {
        disk.failSyncAfter(random.nextInt(4));
      } else {
        disk.fillAfter(random.nextInt(8));
      }
    }

    @Override
    public Machine afterPowerLoss(Random random) throws IOException {
      Path left = newFolder();
      disk.copyAfterPowerLoss(folder, left, random);
      return new Local(left, new FaultyDisk());
    }
  }
}
