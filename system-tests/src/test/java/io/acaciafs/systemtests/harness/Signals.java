package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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

  /** SIGTERM. */
  public static void terminate(long pid) throws IOException, InterruptedException {
    send("TERM", pid, false);
  }

  /** SIGKILL to all at once, of which some may have ended. */
  public static void killThoseAlive(List<Long> pids) throws IOException, InterruptedException {
    send("KILL", pids, true);
  }

  private static void send(String signal, long pid, boolean mayHaveEnded)
      throws IOException, InterruptedException {
    send(signal, List.of(pid), mayHaveEnded);
  }

  private static void send(String signal, List<Long> pids, boolean mayHaveEnded)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("kill", "-" + signal));
    pids.forEach(pid -> command.add(Long.toString(pid)));
    Process kill = new ProcessBuilder(command).start();
    boolean isDone =
        kill.waitFor(LIMIT_S, TimeUnit.SECONDS)
            && (kill.exitValue() == 0 || mayHaveEnded && kill.exitValue() == NO_SUCH_PROCESS);
    if (!isDone) {
      throw new AssertionError(command + " failed");
    }
  }
}
