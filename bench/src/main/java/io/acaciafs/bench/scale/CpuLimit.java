package io.acaciafs.bench.scale;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The program {@code cpulimit}, one for each process, which stops and continues it. Of a group each
 * process gets an equal part.
 */
final class CpuLimit extends CpuQuotas {
  private final Map<Integer, List<Long>> groups = new HashMap<>();
  private final Map<Integer, List<Process>> limits = new HashMap<>();

  static boolean isInstalled() {
    try {
      new ProcessBuilder("cpulimit", "--help").redirectErrorStream(true).start().destroy();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  String describe() {
    return "cpulimit";
  }

  @Override
  void put(int group, List<Long> pids) {
    groups.put(group, List.copyOf(pids));
  }

  @Override
  void limit(int group, int percentOfCore) throws IOException {
    List<Process> running = limits.computeIfAbsent(group, key -> new ArrayList<>());
    running.forEach(Process::destroy);
    running.clear();
    List<Long> pids = Objects.requireNonNull(groups.get(group), "the group is known");
    if (percentOfCore > 0) {
      String each = Integer.toString(Math.max(1, percentOfCore / pids.size()));
      for (long pid : pids) {
        running.add(
            new ProcessBuilder("cpulimit", "-p", Long.toString(pid), "-l", each)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start());
      }
    }
  }

  @Override
  public void close() {
    limits.values().forEach(running -> running.forEach(Process::destroy));
    limits.clear();
  }
}
