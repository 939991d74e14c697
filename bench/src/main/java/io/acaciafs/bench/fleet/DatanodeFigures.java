package io.acaciafs.bench.fleet;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.acaciafs.bench.compare.Machine;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * What DataNodes cost NameNodes. CPU is that of all servers.
 *
 * @param cpu for one of each
 * @param heap of each NameNode, behind a collection
 * @param heartbeatCores of all heartbeats together, as parts of a processor
 * @param restart of all NameNodes at once
 */
record DatanodeFigures(
    DatanodeCosts.Plan plan,
    Machine machine,
    Cpu cpu,
    Heap heap,
    double heartbeatCores,
    Restart restart) {
  private static final double NANOS_IN_MS = 1e6;

  /**
   * In microseconds.
   *
   * @param newDatanodeUs one that no NameNode knows, until its storage is stored
   * @param registrationUs of a known one
   * @param heartbeatUs of one
   * @param incrementalReplicaUs of one that was deleted or received, at all NameNodes together
   * @param fullReportReplicaUs of one that the NameNode knows already
   */
  record Cpu(
      double newDatanodeUs,
      double registrationUs,
      double heartbeatUs,
      double incrementalReplicaUs,
      double fullReportReplicaUs) {}

  /** In bytes; a DataNode without its storages, but with its connection. */
  record Heap(double perDatanode, double perStorage) {}

  /**
   * From the kill on.
   *
   * @param firstCallMs from the start of the processes until each had answered a client
   * @param registeredMs until all DataNodes had registered again with all NameNodes
   * @param reports full ones, while the client was watched
   * @param idle latencies of a client's stat before, in nanoseconds
   * @param storm the same while DataNodes registered and reported
   */
  record Restart(
      double firstCallMs,
      double registeredMs,
      double stormSeconds,
      long reports,
      Histogram idle,
      Histogram storm) {}

  /** For the page of benchmarks. */
  String table() {
    StringBuilder text = new StringBuilder("\n");
    text.append(machine.describe()).append(".\n");
    text.append(
        String.format(
            Locale.ROOT,
            "%,d DataNodes with %,d replicas, %d NameNode%s on %s, a heartbeat every %.0f s.%n%n",
            plan.datanodes(),
            plan.replicas(),
            plan.nameNodes(),
            plan.nameNodes() == 1 ? "" : "s",
            plan.engine().title(),
            plan.heartbeat().toMillis() / 1e3));
    text.append("| what | figure |\n|---|---|\n");
    line(text, "CPU us for a new DataNode at one NameNode", "%.0f", cpu.newDatanodeUs);
    line(text, "CPU us for a DataNode that registers again", "%.0f", cpu.registrationUs);
    line(text, "CPU us for a heartbeat", "%.1f", cpu.heartbeatUs);
    line(text, "all heartbeats, %% of a processor", "%.1f", heartbeatCores * 100);
    line(text, "CPU us for a replica in an incremental report", "%.1f", cpu.incrementalReplicaUs);
    line(text, "CPU us for a replica in a full report", "%.2f", cpu.fullReportReplicaUs);
    line(text, "heap bytes for a DataNode", "%,.0f", heap.perDatanode);
    line(text, "heap bytes for a storage", "%,.0f", heap.perStorage);
    line(text, "restart of all NameNodes: ms to the first answer", "%,.0f", restart.firstCallMs);
    line(text, "ms until all DataNodes have registered", "%,.0f", restart.registeredMs);
    line(
        text,
        "full reports a second meanwhile",
        "%.1f",
        restart.reports / Math.max(1e-3, restart.stormSeconds));
    text.append("| stat before: ms p50, p99, most | ").append(latencies(restart.idle));
    text.append(" |\n| stat meanwhile: ms p50, p99, most | ").append(latencies(restart.storm));
    return text.append(" |\n\n").toString();
  }

  private static void line(StringBuilder text, String what, String format, double figure) {
    text.append("| ")
        .append(what.replace("%%", "%"))
        .append(" | ")
        .append(String.format(Locale.ROOT, format, figure))
        .append(" |\n");
  }

  private static String latencies(Histogram of) {
    return String.format(
        Locale.ROOT,
        "%.2f, %.2f, %.1f",
        of.getValueAtPercentile(50) / NANOS_IN_MS,
        of.getValueAtPercentile(99) / NANOS_IN_MS,
        of.getMaxValue() / NANOS_IN_MS);
  }

  /** For machines. */
  String json() {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    all.put("measured", machine.date().toString());
    all.put("command", "bench/datanodes --engine " + plan.engine().label());
    all.put("host", machine.processors() + " x " + machine.processor());
    all.put("engine", plan.engine().label());
    all.put("dataNodes", plan.datanodes());
    all.put("replicas", plan.replicas());
    all.put("nameNodes", plan.nameNodes());
    all.put("newDataNodeCpuUs", cpu.newDatanodeUs);
    all.put("registrationCpuUs", cpu.registrationUs);
    all.put("heartbeatCpuUs", cpu.heartbeatUs);
    all.put("heartbeatCores", heartbeatCores);
    all.put("incrementalReplicaCpuUs", cpu.incrementalReplicaUs);
    all.put("fullReportReplicaCpuUs", cpu.fullReportReplicaUs);
    all.put("heapBytesPerDataNode", heap.perDatanode);
    all.put("heapBytesPerStorage", heap.perStorage);
    all.put("firstCallMs", restart.firstCallMs);
    all.put("registeredMs", restart.registeredMs);
    all.put("stormSeconds", restart.stormSeconds);
    all.put("stormReports", restart.reports);
    all.set("statMsIdle", percentiles(restart.idle));
    all.set("statMsStorm", percentiles(restart.storm));
    return all.toPrettyString() + "\n";
  }

  private static ObjectNode percentiles(Histogram of) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("p50", of.getValueAtPercentile(50) / NANOS_IN_MS)
        .put("p99", of.getValueAtPercentile(99) / NANOS_IN_MS)
        .put("max", of.getMaxValue() / NANOS_IN_MS);
  }
}
