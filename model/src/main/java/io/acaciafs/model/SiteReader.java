package io.acaciafs.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Reads the description of a site, see docs/model.md. Stateless. */
public final class SiteReader {
  private static final double MOST = 1e18;

  private SiteReader() {}

  /**
   * @param calls the calls whose costs are known
   */
  public static Site read(Path file, Set<String> calls) throws IOException, InputException {
    return of(file.toString(), Files.readString(file), calls);
  }

  static Site of(String file, String text, Set<String> calls) throws InputException {
    Fields root = Fields.of(file, text);
    Site site =
        new Site(
            root.text("name", "A site"),
            engine(root),
            root.number("files", 1, MOST),
            root.number("directories", 1, MOST),
            root.number("blocksPerFile", 0, 1e6, 1),
            root.number("replication", 1, 512, 3),
            calls(root.object("calls"), calls),
            clients(root.object("clients")),
            dataNodes(root.object("dataNodes")),
            machine(root.object("machine")),
            root.number("utilisation", 0.01, 0.95, 0.6));
    root.end();
    return site;
  }

  private static Site.Engine engine(Fields root) throws InputException {
    String name = root.text("engine", "auto");
    List<String> names =
        Arrays.stream(Site.Engine.values())
            .map(engine -> engine.name().toLowerCase(Locale.ROOT))
            .toList();
    if (!names.contains(name)) {
      throw root.wrong("engine", "must be one of " + String.join(", ", names) + ", and is " + name);
    }
    return Site.Engine.valueOf(name.toUpperCase(Locale.ROOT));
  }

  private static Site.Calls calls(Fields fields, Set<String> known) throws InputException {
    Fields mix = fields.object("mix");
    Map<String, Double> weights = new LinkedHashMap<>();
    for (String call : mix.names()) {
      if (!known.contains(call)) {
        throw mix.wrong(call, "is none of the calls " + String.join(", ", known));
      }
      weights.put(call, mix.number(call, 0, MOST));
    }
    double sum = weights.values().stream().mapToDouble(Double::doubleValue).sum();
    if (sum == 0) {
      throw fields.wrong("mix", "must have a call");
    }
    weights.replaceAll((call, weight) -> weight / sum);
    Site.Calls calls =
        new Site.Calls(
            fields.number("perSecond", 0.001, MOST),
            Map.copyOf(weights),
            fields.number("directoryChanges", 0, 1, 0.001),
            fields.number("coldReads", 0, 1, 0.1));
    fields.end();
    return calls;
  }

  private static Site.Clients clients(Fields fields) throws InputException {
    double connected = fields.number("connected", 1, MOST);
    Site.Clients clients = new Site.Clients(connected, fields.number("writing", 0, connected));
    fields.end();
    return clients;
  }

  private static Site.DataNodes dataNodes(Fields fields) throws InputException {
    Site.DataNodes nodes =
        new Site.DataNodes(
            fields.number("count", 1, MOST),
            fields.number("storages", 1, 1000),
            fields.whole("nameNodesEach", 1, 100, 2),
            fields.number("heartbeatSeconds", 0.1, 3600, 3),
            fields.number("fullReportHours", 0.01, 1e5, 6),
            fields.whole("fullReportsAtOnce", 1, 10_000, 6));
    fields.end();
    return nodes;
  }

  private static Site.Machine machine(Fields fields) throws InputException {
    Site.Machine machine =
        new Site.Machine(
            fields.whole("cores", 1, 1024),
            fields.number("memoryBytes", 1e9, MOST),
            fields.number("diskBytes", 1e9, MOST),
            fields.number("networkBytesPerSecond", 1e6, MOST, 1.25e9));
    fields.end();
    return machine;
  }
}
