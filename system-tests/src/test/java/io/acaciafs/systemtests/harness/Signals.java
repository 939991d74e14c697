package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Signals to processes of this machine, which a test has started. Stateless. */
public final class Signals {
  private static final long LIMIT_S = 30;
  private static final int NO_SUCH_PROCESS = 1;

  private Signals() {}

  /** SIGSTOP: the process stands still until {@link #resume}. */
  public static void stop(long pid) throws IOException, InterruptedException {
    send("STOP", pid, false);
  }

  /** SIGCONT. */
  public static void resume(long pid) throws IOException, InterruptedException {
    send("CONT", pid, false);
  }

  /** The same as {@link #stop} for a process that may have ended. */
  public static void stopIfAlive(long pid) throws IOException, InterruptedException {
    send("STOP", pid, true);
  }

  /** The same as {@link #resume} for a process that may have ended. */
  public static void resumeIfAlive(long pid) throws IOException, InterruptedException {
    send("CONT", pid, true);
  }

  private static void send(String signal, long pid, boolean mayHaveEnded)
      throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start();
    boolean isDone =
        kill.waitFor(LIMIT_S, TimeUnit.SECONDS)
            && (kill.exitValue() == 0 || mayHaveEnded && kill.exitValue() == NO_SUCH_PROCESS);
    if (!isDone) {
      throw new AssertionError("kill -" + signal + " " + pid + " failed");
    }
  }
}
