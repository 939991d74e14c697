package io.acaciafs.systemtests.harness;

import io.acaciafs.kv.testkit.disk.PreloadedLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Has syncs of a process take long, as on a disk that has too much to do. Needs a C compiler. */
final class SlowSyncs {
  private static final String LIBRARY = "slow-sync";

  private SlowSyncs() {}

  static boolean isPossible() {
    return PreloadedLibrary.isPossible();
  }

  /** The environment of a process in whose folder {@link #last} says how long its syncs last. */
  static Map<String, String> environment(Path folder) throws IOException, InterruptedException {
    return Map.of(
        "LD_PRELOAD",
        PreloadedLibrary.compile(LIBRARY, folder).toString(),
        "SLOW_SYNC",
        control(folder).toString());
  }

  private static Path control(Path folder) {
    return folder.resolve(LIBRARY + "-ms");
  }

  /** From now on; no time: as the disk does them. */
  static void last(Path folder, Duration time) throws IOException {
    if (time.isZero()) {
      Files.deleteIfExists(control(folder));
    } else {
      Files.writeString(control(folder), Long.toString(time.toMillis()));
    }
  }
}
