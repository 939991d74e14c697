package io.acaciafs.model;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads costs from a folder or from the jar: {@code costs.json}, what {@code bench/datanodes}
 * measured of each engine, {@code datanodes-rocksdb.json} and {@code datanodes-hbase.json}, and
 * over it what {@code bench/pair} measured, {@code pair.json}, if that is there. Stateless.
 */
public final class CostsReader {
  private static final double MOST = 1e18;

  /** All that {@code costs.json} has in {@code figures}, with units in their names. */
  static final List<String> FIGURES =
      List.of(
          "loneCallCpuUs",
          "coldReadsPerSecondRocksDb",
          "coldReadsPerSecondHBase",
          "copiedBytesPerSecond",
          "readRequestCpuUs",
          "commitRequestCpuUs",
          "counterRowCpuUs",
          "readNameNodeShare",
          "commitNameNodeShare",
          "scannedRowCpuUs",
          "writtenRowCpuUs",
          "memberMessageCpuUs",
          "boardByteCpuNs",
          "boardLookUpCpuNs",
          "slicedReplicaCpuUs",
          "fullReportReplicaMs",
          "heapBytesPerConnection",
          "heapBytesPerClientLease",
          "heapBytesPerRegion",
          "heapBytesOfNameNode",
          "heapBytesOfRegionServer",
          "boardBytesPerDataNode",
          "boardBytesPerStorage",
          "boardBytesPerListener",
          "bytesPerRow",
          "bytesPerFileRocksDb",
          "regionBytes",
          "regionsPerServer",
          "regionsPerMaster",
          "roundTripMs",
          "logSyncMs",
          "logSyncMsRocksDb",
          "logSyncMsRaft");

  /** Where files are. */
  private interface Place {
    /** The text of a file; nothing where there is none. */
    Optional<String> read(String name) throws IOException;
  }

  private CostsReader() {}

  /** The costs that this version came with. */
  public static Costs ofThisVersion() throws IOException, InputException {
    return read(
        name -> {
          try (InputStream file = CostsReader.class.getResourceAsStream(name)) {
            return file == null
                ? Optional.empty()
                : Optional.of(new String(file.readAllBytes(), StandardCharsets.UTF_8));
          }
        });
  }

  public static Costs of(Path folder) throws IOException, InputException {
    return read(
        name -> {
          Path file = folder.resolve(name);
          return Files.exists(file) ? Optional.of(Files.readString(file)) : Optional.empty();
        });
  }

  private static Costs read(Place place) throws IOException, InputException {
    Fields root = required(place, "costs.json");
    Map<String, String> sources = new LinkedHashMap<>();
    Fields described = root.object("sources");
    for (String name : described.names()) {
      sources.put(name, described.text(name));
    }
    Map<String, CallCost> hbase =
        calls(root.object("hbase"), "nameNodeCpuUs", "regionServerCpuUs", sources);
    Map<String, CallCost> rocksdb = calls(root.object("rocksdb"), "cpuUs", null, sources);
    Map<String, CallCost> raft = calls(root.object("raft"), "cpuUs", null, sources);
    Map<String, Costs.Value> figures = figures(root.object("figures"), sources);
    root.end();
    Optional<String> pair = place.read("pair.json");
    if (pair.isPresent()) {
      overlayPair(Fields.of("pair.json", pair.get()), hbase, sources);
    }
    DataNodeCosts embeddedDataNodes = dataNodes(place, "rocksdb", sources);
    DataNodeCosts hbaseDataNodes = dataNodes(place, "hbase", sources);
    return new Costs(
        Map.copyOf(sources),
        new CallCosts(hbase),
        new CallCosts(rocksdb),
        new CallCosts(raft),
        embeddedDataNodes,
        hbaseDataNodes,
        Map.copyOf(figures));
  }

  private static Fields required(Place place, String name) throws IOException, InputException {
    Optional<String> text = place.read(name);
    if (text.isEmpty()) {
      throw new InputException("There is no " + name + ".");
    }
    return Fields.of(name, text.get());
  }

  /**
   * Reads what calls cost.
   *
   * @param regionServer the field with the part of a region server; null: there is none
   */
  private static Map<String, CallCost> calls(
      Fields fields, String nameNode, @Nullable String regionServer, Map<String, String> sources)
      throws InputException {
    Map<String, CallCost> calls = new LinkedHashMap<>();
    for (Map.Entry<String, Fields> call : fields.objects().entrySet()) {
      Fields cost = call.getValue();
      calls.put(
          call.getKey(),
          new CallCost(
              cost.number(nameNode, 0, MOST),
              regionServer == null ? 0 : cost.number(regionServer, 0, MOST),
              isChange(cost),
              source(cost, sources)));
      cost.end();
    }
    return calls;
  }

  private static boolean isChange(Fields cost) throws InputException {
    return switch (cost.text("kind")) {
      case "read" -> false;
      case "change" -> true;
      default -> throw cost.wrong("kind", "must be read or change");
    };
  }

  private static String source(Fields fields, Map<String, String> sources) throws InputException {
    String source = fields.text("source");
    if (!sources.containsKey(source)) {
      throw fields.wrong("source", "must be one of sources, and is " + source);
    }
    return source;
  }

  private static Map<String, Costs.Value> figures(Fields fields, Map<String, String> sources)
      throws InputException {
    Map<String, Costs.Value> figures = new LinkedHashMap<>();
    for (String name : FIGURES) {
      Fields figure = fields.object(name);
      figures.put(name, new Costs.Value(figure.number("value", 0, MOST), source(figure, sources)));
      figure.end();
    }
    fields.end();
    return figures;
  }

  private static void overlayPair(
      Fields file, Map<String, CallCost> hbase, Map<String, String> sources) throws InputException {
    String source = addSource(file, sources);
    for (Map.Entry<String, Fields> measured : file.object("operations").objects().entrySet()) {
      String call = measured.getKey().equals("list_status") ? "list" : measured.getKey();
      CallCost before = hbase.get(call);
      if (before != null) { // else an operation of several calls
        hbase.put(
            call,
            new CallCost(
                measured.getValue().number("nameNodeCpuUs", 0, MOST),
                measured.getValue().number("regionServerCpuUs", 0, MOST),
                before.isChange(),
                source));
      }
    }
  }

  private static DataNodeCosts dataNodes(Place place, String engine, Map<String, String> sources)
      throws IOException, InputException {
    Fields file = required(place, "datanodes-" + engine + ".json");
    if (!file.text("engine").equals(engine)) {
      throw file.wrong("engine", "must be " + engine + ", and is " + file.text("engine"));
    }
    String source = addSource(file, sources);
    return new DataNodeCosts(
        file.number("heartbeatCpuUs", 0, MOST),
        file.number("incrementalReplicaCpuUs", 0, MOST),
        file.number("fullReportReplicaCpuUs", 0, MOST),
        file.number("heapBytesPerDataNode", 0, MOST),
        file.number("heapBytesPerStorage", 0, MOST),
        source);
  }

  private static String addSource(Fields file, Map<String, String> sources) throws InputException {
    String command = file.text("command");
    sources.put(
        command, command + " on " + file.text("measured") + ", " + file.text("host", "no host"));
    return command;
  }
}
