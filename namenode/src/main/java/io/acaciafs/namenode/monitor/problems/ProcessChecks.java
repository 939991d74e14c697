package io.acaciafs.namenode.monitor.problems;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Whether the process has memory, time, and files left. Compares with the look before. */
public final class ProcessChecks implements ProblemCheck {
  private static final double NEARLY_FULL = 0.85;
  private static final double MUCH_TIME = 0.2;

  /** Less says nothing about how much time collections take. */
  private static final long SHORTEST_NS = TimeUnit.SECONDS.toNanos(5);

  private long collectedMs = collectedMs();
  private long atNs = System.nanoTime();
  private double share;

  @Override
  public void look(Consumer<Problem> found) {
    heap(found);
    pauses(found);
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
      long open = system.getOpenFileDescriptorCount();
      long most = system.getMaxFileDescriptorCount();
      if (open > NEARLY_FULL * most) {
        found.accept(
            new Problem(
                ProblemKind.FEW_FILE_DESCRIPTORS, open + " of at most " + most + " are open"));
      }
    }
  }

  /** What a collection has left, which is in use indeed. */
  private static void heap(Consumer<Problem> found) {
    long used = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      MemoryUsage left = pool.getType() == MemoryType.HEAP ? pool.getCollectionUsage() : null;
      used += left == null ? 0 : left.getUsed();
    }
    long most = Runtime.getRuntime().maxMemory();
    if (used > NEARLY_FULL * most) {
      found.accept(
          new Problem(
              ProblemKind.HEAP_NEARLY_FULL,
              100 * used / most + " % of it was in use after the last collection"));
    }
  }

  private void pauses(Consumer<Problem> found) {
    long nowNs = System.nanoTime();
    if (nowNs - atNs >= SHORTEST_NS) {
      long nowMs = collectedMs();
      share = (nowMs - collectedMs) / (double) TimeUnit.NANOSECONDS.toMillis(nowNs - atNs);
      collectedMs = nowMs;
      atNs = nowNs;
    }
    if (share > MUCH_TIME) {
      found.accept(
          new Problem(
              ProblemKind.LONG_PAUSES, Math.round(100 * share) + " % of the time, of late"));
    }
  }

  private static long collectedMs() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .filter(ms -> ms > 0)
        .sum();
  }
}
