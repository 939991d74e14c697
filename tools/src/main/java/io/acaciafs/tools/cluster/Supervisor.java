package io.acaciafs.tools.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps servers running, as systemd does with {@code Restart=always}: one that ends, for whatever
 * reason, is started again after a pause, which grows while it ends soon. {@code pid/NAME} in its
 * folder has the process of each, {@code log/NAME.log} what it says.
 *
 * <p>Safe for use by many threads. Ends with the JVM at the latest, and what it has started with
 * it, unless the JVM is killed: the next one in the same folder ends what is left then.
 */
final class Supervisor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);
  private static final long LOOK_EVERY_MS = 200;
  private static final long FIRST_PAUSE_MS = 1_000;
  private static final long LONGEST_PAUSE_MS = 8_000;

  /** One that has lived for so long did not end for the same reason as the last time. */
  private static final long LONG_LIFE_MS = 60_000;

  private static final long ORDERLY_END_S = 20;
  private static final long FORCED_END_S = 10;

  private final Path pids;
  private final Path logs;
  private final List<Kept> servers = new ArrayList<>();
  private final Thread atEnd = new Thread(this::close, "supervisor-end");
  private final ScheduledExecutorService watch =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "supervisor"));
  private boolean closed;

  /** A server and its present process. */
  private static final class Kept {
    private final Server server;
    private Process process;
    private long startedNs = System.nanoTime();
    private long pauseMs = FIRST_PAUSE_MS / 2;
    private boolean isMissed;
    private long missedNs;

    private Kept(Server server, Process process) {
      this.server = server;
      this.process = process;
    }
  }

  private Supervisor(Path pids, Path logs) {
    this.pids = pids;
    this.logs = logs;
  }

  /**
   * Begins to watch over a folder that this process has locked.
   *
   * @param known servers that an earlier process may have left running; they are ended
   */
  static Supervisor start(Path folder, List<Server> known) throws IOException {
    Supervisor supervisor =
        new Supervisor(
            Files.createDirectories(folder.resolve("pid")),
            Files.createDirectories(folder.resolve("log")));
    for (Server server : known) {
      supervisor.endLeftOver(server);
    }
    Runtime.getRuntime().addShutdownHook(supervisor.atEnd);
    supervisor.watch.scheduleWithFixedDelay(
        supervisor::look, LOOK_EVERY_MS, LOOK_EVERY_MS, TimeUnit.MILLISECONDS);
    return supervisor;
  }

  /** Starts a server, and from now on keeps it running. */
  synchronized void keep(Server server) throws IOException {
    if (closed) {
      throw new IOException("The cluster was told to end");
    }
    servers.add(new Kept(server, run(server)));
  }

  private Process run(Server server) throws IOException {
    Process process = server.start(logs.resolve(server.name() + ".log"));
    Path part = pids.resolve(server.name() + ".part");
    Files.writeString(part, process.pid() + "\n");
    Files.move(part, pids.resolve(server.name()), StandardCopyOption.ATOMIC_MOVE);
    return process;
  }

  private synchronized void look() {
    if (closed) {
      return;
    }
    for (Kept each : servers) {
      if (!each.process.isAlive()) {
        try {
          revive(each);
        } catch (IOException e) {
          LOG.warn("Server does not start name={}", each.server.name(), e);
        }
      }
    }
  }

  private void revive(Kept ended) throws IOException {
    long nowNs = System.nanoTime();
    if (!ended.isMissed) {
      boolean livedLong = nowNs - ended.startedNs > TimeUnit.MILLISECONDS.toNanos(LONG_LIFE_MS);
      ended.pauseMs = livedLong ? FIRST_PAUSE_MS : Math.min(2 * ended.pauseMs, LONGEST_PAUSE_MS);
      ended.isMissed = true;
      ended.missedNs = nowNs;
      LOG.info(
          "Server has ended name={} exitCode={} startsInMs={}",
          ended.server.name(),
          ended.process.exitValue(),
          ended.pauseMs);
    }
    if (nowNs - ended.missedNs > TimeUnit.MILLISECONDS.toNanos(ended.pauseMs)) {
      ended.process = run(ended.server);
      ended.startedNs = nowNs;
      ended.isMissed = false;
    }
  }

  private void endLeftOver(Server server) throws IOException {
    Path file = pids.resolve(server.name());
    if (!Files.exists(file)) {
      return;
    }
    Optional<ProcessHandle> left =
        ProcessHandle.of(Long.parseLong(Files.readString(file).strip())).filter(server::is);
    if (left.isPresent()) {
      LOG.info("Server of an earlier start is ended name={}", server.name());
      left.get().destroyForcibly();
      try {
        left.get().onExit().get(FORCED_END_S, TimeUnit.SECONDS);
      } catch (ExecutionException | TimeoutException e) {
        throw new IOException("The process of " + server.name() + " does not end", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("Interrupted while a process ended", e);
      }
    }
  }

  /** Ends all, the last kind first, the servers of one kind together. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    watch.shutdownNow();
    ServerKind[] kinds = ServerKind.values();
    for (int i = kinds.length - 1; i >= 0; i--) {
      ServerKind kind = kinds[i];
      List<Kept> some = servers.stream().filter(each -> each.server.kind() == kind).toList();
      some.forEach(each -> each.process.destroy());
      some.forEach(each -> awaitEnd(each.process));
    }
    try {
      Runtime.getRuntime().removeShutdownHook(atEnd);
    } catch (IllegalStateException e) {
      LOG.debug("The JVM is ending, and the hook with it");
    }
  }

  private static void awaitEnd(Process process) {
    try {
      if (!process.waitFor(ORDERLY_END_S, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        process.waitFor(FORCED_END_S, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
