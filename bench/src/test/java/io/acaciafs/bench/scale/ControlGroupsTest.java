package io.acaciafs.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder stands for Linux's. */
class ControlGroupsTest {
  @TempDir private Path root;

  // They are not closed: Linux removes such a folder with its files, another file system does not.
  private CpuQuotas groups(boolean isSecondVersion) {
    return new ControlGroups(root, "bench", isSecondVersion);
  }

  @Test
  void eachGroupHasItsProcessesAndItsShare() throws Exception {
    CpuQuotas groups = groups(false);
    groups.put(0, List.of(11L));
    groups.put(1, List.of(12L));
    groups.limit(0, 25);
    assertThat(root.resolve("bench-0/cgroup.procs")).hasContent("11");
    assertThat(root.resolve("bench-0/cpu.cfs_quota_us")).hasContent("25000");
    assertThat(root.resolve("bench-0/cpu.cfs_period_us")).hasContent("100000");
    assertThat(root.resolve("bench-1/cgroup.procs")).hasContent("12");
    groups.limit(0, 0);
    assertThat(root.resolve("bench-0/cpu.cfs_quota_us")).hasContent("-1");
  }

  @Test
  void theSecondVersionHasOneFileForBoth() throws Exception {
    CpuQuotas groups = groups(true);
    groups.put(0, List.of(11L));
    groups.limit(0, 25);
    assertThat(root.resolve("bench-0/cpu.max")).hasContent("25000 100000");
    groups.limit(0, 0);
    assertThat(root.resolve("bench-0/cpu.max")).hasContent("max 100000");
  }
}
