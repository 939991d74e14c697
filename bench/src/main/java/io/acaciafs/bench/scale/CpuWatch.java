package io.acaciafs.bench.scale;

import io.acaciafs.bench.client.Meter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Measures who uses the processors in a span of time. For one thread. */
final class CpuWatch implements Meter {
  private static final Path MACHINE = Path.of("/proc/stat");
  private static final int FIRST_IDLE = 4;

  private final List<Long> servers;
  private Moment begin = Moment.NONE;
  private Moment end = Moment.NONE;

  private record Moment(long nanos, double servers, double own, long machine, long idle) {
    private static final Moment NONE = new Moment(0, 0, 0, 0, 0);
  }

  CpuWatch(List<Long> servers) {
    this.servers = servers;
  }

  @Override
  public void start() {
    begin = now();
  }

  @Override
  public void stop() {
    end = now();
  }

  private Moment now() {
    long all = 0;
    long idle = 0;
    String[] words = machine();
    for (int i = 1; i < words.length && i <= 8; i++) {
      long ticks = Long.parseLong(words[i]);
      all += ticks;
      if (i == FIRST_IDLE || i == FIRST_IDLE + 1) {
        idle += ticks;
      }
    }
    double used = 0;
    for (long pid : servers) {
      used += ProcessHandle.of(pid).map(CpuWatch::seconds).orElse(0.0);
    }
    return new Moment(System.nanoTime(), used, seconds(ProcessHandle.current()), all, idle);
  }

  private static String[] machine() {
    try {
      return Files.readAllLines(MACHINE).get(0).split(" +");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static double seconds(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
  }

  double elapsedSeconds() {
    return (end.nanos - begin.nanos) / 1e9;
  }

  /** Of all servers together. */
  double serverCores() {
    return (end.servers - begin.servers) / elapsedSeconds();
  }

  double ownCores() {
    return (end.own - begin.own) / elapsedSeconds();
  }

  /** Part of all processors that was in use, by anybody. */
  double machineUsed() {
    long all = end.machine - begin.machine;
    return all == 0 ? 0 : 1 - (double) (end.idle - begin.idle) / all;
  }
}
