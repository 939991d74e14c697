package io.acaciafs.model;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A plan for people. Stateless. */
public final class ReportText {
  private static final double US = 1e6;
  private static final double MS = 1e3;
  private static final double PERCENT = 100;
  private static final String ESTIMATE = "estimate";
  private static final String[] PREFIXES = {"", "k", "M", "G", "T", "P", "E"};

  private ReportText() {}

  public static String of(Plan plan, Costs costs) {
    StringBuilder text = new StringBuilder();
    Site site = plan.site();
    line(
        text,
        "%s: %s files, %s directories, %s blocks: %s objects; %s calls/s of %s clients; %s"
            + " DataNodes with %s replicas",
        site.name(),
        number(site.files()),
        number(site.directories()),
        number(site.blocks()),
        number(site.objects()),
        number(site.calls().perSecond()),
        number(site.clients().connected()),
        number(site.dataNodes().count()),
        number(site.replicas()));
    plan.remarks().forEach(remark -> line(text, "%s", remark));
    line(text, "Engine: %s", plan.engine().name().toLowerCase(Locale.ROOT));
    if (plan.engine() == Site.Engine.HBASE) {
      line(
          text,
          "Calls that share a request to HBase: %.1f changes, %.1f reads",
          plan.commitGroup(),
          plan.readGroup());
    }
    servers(text, plan);
    limits(text, plan);
    latencies(text, plan.network(), plan.network().solve(), "by formulas");
    estimates(text, costs);
    return text.toString();
  }

  private static void servers(StringBuilder text, Plan plan) {
    line(text, "");
    line(text, "%-36s %8s %6s %10s %10s", "servers", "count", "CPU", "memory", "disk");
    for (ServerGroup group : plan.servers()) {
      line(
          text,
          "%-36s %8d %6s %10s %10s",
          group.kind(),
          group.count(),
          Double.isNaN(group.utilisation()) ? "" : percent(group.utilisation()),
          bytes(group.memoryBytes()),
          group.diskBytes() == 0 ? "" : bytes(group.diskBytes()));
    }
  }

  private static void limits(StringBuilder text, Plan plan) {
    line(text, "");
    line(
        text,
        "%-36s %10s %10s %-10s %8s  %s",
        "what runs out first",
        "used",
        "there is",
        "",
        "part",
        "more servers help");
    for (Limit limit : plan.byUse()) {
      line(
          text,
          "%-36s %10s %10s %-10s %8s  %s",
          limit.name(),
          number(limit.used()),
          number(limit.most()),
          limit.unit(),
          percent(limit.part()),
          limit.grows() ? "yes" : "no");
    }
    if (!plan.fits()) {
      line(text, "There is not enough of what is used by more than 100 %%.");
    }
  }

  /** A table of what calls take. */
  static void latencies(
      StringBuilder text, QueueNetwork network, QueueNetwork.Outcome outcome, String how) {
    line(text, "");
    line(
        text,
        "%-36s %10s %9s %9s %12s %16s",
        "calls, " + how,
        "a second",
        "mean ms",
        "p99 ms",
        "NameNode us",
        "region server us");
    for (QueueNetwork.Task task : network.tasks()) {
      QueueNetwork.Latency latency = outcome.latencies().get(task.name());
      line(
          text,
          "%-36s %10s %9s %9s %12.1f %16.1f",
          task.name(),
          number(task.perSecond()),
          latency == null ? "" : String.format(Locale.ROOT, "%.2f", latency.mean() * MS),
          latency == null ? "" : String.format(Locale.ROOT, "%.2f", latency.p99() * MS),
          task.nameNodeSeconds() * US,
          task.regionServerSeconds() * US);
    }
  }

  /** What a simulation found. */
  public static String of(QueueNetwork network, QueueNetwork.Outcome simulated) {
    StringBuilder text = new StringBuilder();
    latencies(text, network, simulated, "simulated");
    line(
        text,
        "Simulated utilisation: NameNodes %s, region servers %s",
        percent(simulated.nameNodeUtilisation()),
        percent(simulated.regionServerUtilisation()));
    return text.toString();
  }

  private static void estimates(StringBuilder text, Costs costs) {
    List<String> estimated =
        costs.figures().entrySet().stream()
            .filter(figure -> figure.getValue().source().equals(ESTIMATE))
            .map(Map.Entry::getKey)
            .sorted()
            .toList();
    line(text, "");
    line(text, "Estimates, not measured: %s", String.join(", ", estimated));
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
  }

  private static String percent(double part) {
    return Double.isInfinite(part)
        ? "no end"
        : String.format(Locale.ROOT, "%.0f %%", part * PERCENT);
  }

  private static String bytes(double bytes) {
    return number(bytes) + (bytes < 1000 ? " B" : "B");
  }

  /** With three digits, such as 12.3 M. */
  static String number(double value) {
    if (value < 1000) {
      return value == Math.rint(value)
          ? String.format(Locale.ROOT, "%.0f", value)
          : String.format(Locale.ROOT, value < 0.1 ? "%.4f" : "%.1f", value);
    }
    int power = Math.min(PREFIXES.length - 1, (int) (Math.log10(value * 1.0005) / 3));
    double scaled = value / Math.pow(1000, power);
    String format = scaled < 10 ? "%.2f %s" : scaled < 100 ? "%.1f %s" : "%.0f %s";
    return String.format(Locale.ROOT, format, scaled, PREFIXES[power]);
  }
}
