package io.acaciafs.namenode.monitor;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The JVM, under the names of Hadoop's JvmMetrics. Stateless. */
final class JvmFigures {
  private static final float MIB = 1 << 20;

  private JvmFigures() {}

  static Map<String, Object> read() {
    Map<String, Object> bean = new LinkedHashMap<>();
    bean.put("tag.Context", "jvm");
    bean.put("tag.ProcessName", "NameNode");
    memory(bean, "MemNonHeap", ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage());
    memory(bean, "MemHeap", ManagementFactory.getMemoryMXBean().getHeapMemoryUsage());
    bean.put("MemMaxM", Runtime.getRuntime().maxMemory() / MIB);
    long count = 0;
    long timeMs = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      count += Math.max(0, collector.getCollectionCount());
      timeMs += Math.max(0, collector.getCollectionTime());
    }
    bean.put("GcCount", count);
    bean.put("GcTimeMillis", timeMs);
    threads(bean);
    return bean;
  }

  private static void memory(Map<String, Object> bean, String name, MemoryUsage usage) {
    bean.put(name + "UsedM", usage.getUsed() / MIB);
    bean.put(name + "CommittedM", usage.getCommitted() / MIB);
    bean.put(name + "MaxM", usage.getMax() < 0 ? -1f : usage.getMax() / MIB);
  }

  private static void threads(Map<String, Object> bean) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    Map<Thread.State, Integer> states = new EnumMap<>(Thread.State.class);
    for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds(), 0)) {
      if (thread != null) {
        states.merge(thread.getThreadState(), 1, Integer::sum);
      }
    }
    for (Thread.State state : List.of(Thread.State.values())) {
      bean.put("Threads" + camel(state), states.getOrDefault(state, 0));
    }
  }

  private static String camel(Thread.State state) {
    StringBuilder name = new StringBuilder();
    for (String word : state.name().split("_")) {
      name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return name.toString();
  }
}
