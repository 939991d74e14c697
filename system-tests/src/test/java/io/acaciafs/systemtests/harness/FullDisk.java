package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Makes writes of a process fail: with EFBIG, as those to a full disk fail with ENOSPC. */
public final class FullDisk {
  private static final long LIMIT_S = 30;

  private FullDisk() {}

  /** From now on the process may write no file beyond a length. */
  public static void allowFilesUpTo(long bytes, long pid) throws IOException, InterruptedException {
    Process limit =
        new ProcessBuilder("prlimit", "--pid=" + pid, "--fsize=" + bytes).inheritIO().start();
    if (!limit.waitFor(LIMIT_S, TimeUnit.SECONDS) || limit.exitValue() != 0) {
      throw new AssertionError("prlimit failed for process " + pid);
    }
  }
}
