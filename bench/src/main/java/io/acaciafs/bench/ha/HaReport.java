package io.acaciafs.bench.ha;

import io.acaciafs.bench.compare.ComparisonReport;
import io.acaciafs.bench.compare.Contestant;
import io.acaciafs.bench.compare.Machine;
import io.acaciafs.bench.compare.MarkedSection;
import io.acaciafs.bench.compare.Plan;
import io.acaciafs.bench.compare.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a comparison of NameNodes that stand in for each other came to.
 *
 * @param failovers of each side, without a load, and with one if there was one
 */
public record HaReport(
    Machine machine, Plan plan, List<Result> results, Map<Contestant, List<Failovers>> failovers) {
  private static final MarkedSection SECTION = new MarkedSection("bench/against-hdfs --ha");

  /** The tables in Markdown. */
  public String table() {
    StringBuilder text = new StringBuilder(ComparisonReport.operations(machine, plan, results));
    text.append("\nMilliseconds without an acknowledgement, seen by a client:\n\n");
    text.append("| | times | median | longest | handed over, median | longest |\n");
    text.append("|---|---|---|---|---|---|\n");
    failovers.forEach(
        (contestant, all) -> all.forEach(times -> text.append(row(contestant, times))));
    return text.toString();
  }

  private static String row(Contestant contestant, Failovers times) {
    return String.format(
        Locale.ROOT,
        "| %s | %d | %,d | %,d | %,d | %,d |%n",
        contestant.title() + times.load().describe(),
        times.killedMs().size(),
        Failovers.median(times.killedMs()),
        Failovers.longest(times.killedMs()),
        Failovers.median(times.handedOverMs()),
        Failovers.longest(times.handedOverMs()));
  }

  /** Puts the tables between their marks in a page. */
  public void writeTo(Path page) throws IOException {
    SECTION.write(page, table());
  }
}
