package io.acaciafs.bench.scale;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Control groups of Linux, below one of this process. */
final class ControlGroups extends CpuQuotas {
  private final Path root;
  private final String name;
  private final boolean isSecondVersion;
  private final Map<Integer, Path> groups = new LinkedHashMap<>();

  ControlGroups(Path root, String name, boolean isSecondVersion) {
    this.root = root;
    this.name = name;
    this.isSecondVersion = isSecondVersion;
  }

  @Override
  String describe() {
    return "control groups, version " + (isSecondVersion ? 2 : 1);
  }

  @Override
  void put(int group, List<Long> pids) throws IOException {
    Path folder = groups.get(group);
    if (folder == null) {
      folder = Files.createDirectory(root.resolve(name + "-" + group));
      groups.put(group, folder);
    }
    for (long pid : pids) {
      Files.writeString(folder.resolve("cgroup.procs"), Long.toString(pid));
    }
  }

  @Override
  void limit(int group, int percentOfCore) throws IOException {
    Path folder = Objects.requireNonNull(groups.get(group), "the group is known");
    long quotaUs = (long) PERIOD_US * percentOfCore / 100;
    if (isSecondVersion) {
      Files.writeString(
          folder.resolve("cpu.max"), (quotaUs == 0 ? "max" : quotaUs) + " " + PERIOD_US);
    } else {
      Files.writeString(folder.resolve("cpu.cfs_quota_us"), "-1");
      Files.writeString(folder.resolve("cpu.cfs_period_us"), Integer.toString(PERIOD_US));
      Files.writeString(
          folder.resolve("cpu.cfs_quota_us"), Long.toString(quotaUs == 0 ? -1 : quotaUs));
    }
  }

  /** Removes the groups, whose processes have ended or go back to where they came from. */
  @Override
  public void close() throws IOException {
    for (Path folder : groups.values()) {
      for (String pid : Files.readAllLines(folder.resolve("cgroup.procs"))) {
        Files.writeString(root.resolve("cgroup.procs"), pid);
      }
      Files.delete(folder);
    }
    groups.clear();
  }
}
