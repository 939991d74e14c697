package io.acaciafs.systemtests.harness;

import io.acaciafs.kv.testkit.disk.PreloadedLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * Has syncs of a process take long, as on a disk that has too much to do, or its writes fail, as on
 * one that is full. Needs a C compiler.
 */
final class FaultyDisk {
  private static final String LIBRARY = "faulty-disk";

  private FaultyDisk() {}

  static boolean isPossible() {
    return PreloadedLibrary.isPossible();
  }

  /**
   * The environment of a process.
   *
   * @param folder of the process, where the control files are
   * @param disk the folder in it that becomes full
   */
  static Map<String, String> environment(Path folder, Path disk)
      throws IOException, InterruptedException {
    return Map.of(
        "LD_PRELOAD",
        PreloadedLibrary.compile(LIBRARY, folder).toString(),
        "SLOW_SYNC",
        syncMs(folder).toString(),
        "FULL_DISK",
        full(folder).toString(),
        "DISK",
        folder.toRealPath().resolve(folder.relativize(disk)).toString());
  }

  private static Path syncMs(Path folder) {
    return folder.resolve(LIBRARY + "-sync-ms");
  }

  private static Path full(Path folder) {
    return folder.resolve(LIBRARY + "-full");
  }

  /** From now on each sync lasts so much longer; no time: as the disk does them. */
  static void setSyncTime(Path folder, Duration time) throws IOException {
    if (time.isZero()) {
      Files.deleteIfExists(syncMs(folder));
    } else {
      Files.writeString(syncMs(folder), Long.toString(time.toMillis()));
    }
  }

  /** From now on the disk takes nothing, or takes again what comes. */
  static void setFull(Path folder, boolean isFull) throws IOException {
    if (isFull) {
      Files.writeString(full(folder), "");
    } else {
      Files.deleteIfExists(full(folder));
    }
  }
}
