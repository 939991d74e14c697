package io.acaciafs.bench.scale;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Gives groups of processes a share of the processors each: by control groups of Linux, of version
 * 1 or 2, or by the program {@code cpulimit} where there are none. For one thread.
 */
abstract sealed class CpuQuotas implements AutoCloseable permits ControlGroups, CpuLimit {
  /**
   * What Linux takes where nobody says anything. In a shorter one each server would work for
   * moments, at whose beginning the caches are full of what others left there.
   */
  static final int PERIOD_US = 100_000;

  /**
   * What this machine has.
   *
   * @throws IOException when it has nothing, with what to install
   */
  static CpuQuotas ofThisMachine() throws IOException {
    String name = "acacia-bench-" + ProcessHandle.current().pid();
    for (Path root : List.of(Path.of("/sys/fs/cgroup/cpu"), Path.of("/sys/fs/cgroup"))) {
      boolean isSecond = Files.exists(root.resolve("cgroup.controllers"));
      boolean isFirst = Files.exists(root.resolve("cpu.cfs_quota_us")) && !isSecond;
      if ((isFirst || isSecond) && Files.isWritable(root)) {
        return new ControlGroups(root, name, isSecond);
      }
    }
    if (CpuLimit.isInstalled()) {
      return new CpuLimit();
    }
    throw new IOException(
        "Shares of the processors need control groups that this user may write (/sys/fs/cgroup), or"
            + " the program cpulimit: apt-get install cpulimit");
  }

  /** For people. */
  abstract String describe();

  /**
   * Makes processes a group, which has no limit yet. Those that were in it before have ended, or
   * are named again.
   */
  abstract void put(int group, List<Long> pids) throws IOException;

  /**
   * Limits a group.
   *
   * @param percentOfCore 0: no limit
   */
  abstract void limit(int group, int percentOfCore) throws IOException;

  @Override
  public abstract void close() throws IOException;
}
