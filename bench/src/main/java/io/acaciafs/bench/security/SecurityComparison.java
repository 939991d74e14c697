package io.acaciafs.bench.security;

import io.acaciafs.bench.Bench;
import io.acaciafs.bench.BenchSettings;
import io.acaciafs.bench.Measurement;
import io.acaciafs.bench.Steps;
import io.acaciafs.bench.compare.Contestant;
import io.acaciafs.bench.compare.Figures;
import io.acaciafs.bench.compare.Machine;
import io.acaciafs.bench.compare.MeasurementLog;
import io.acaciafs.bench.compare.Plan;
import io.acaciafs.namenode.process.ResourceStack;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import javax.security.auth.Subject;
import org.jspecify.annotations.Nullable;

/**
 * Compares what security costs Acacia and Hadoop's NameNode: four NameNodes are up, and one of them
 * is measured at a time. For one thread.
 */
public final class SecurityComparison implements AutoCloseable {
  private static final int THREADS = 1;

  private final ResourceStack resources = new ResourceStack();
  private final Map<Contestant, Side> sides = new EnumMap<>(Contestant.class);
  private final Plan plan;
  private final Steps steps;
  private final MeasurementLog log;
  private int benches;

  private SecurityComparison(Plan plan, Steps steps, MeasurementLog log) {
    this.plan = plan;
    this.steps = steps;
    this.log = log;
  }

  /**
   * Many short rounds, as differences of five percent are looked for: all within a quarter of an
   * hour.
   */
  public static Plan quick() {
    return new Plan(5, Duration.ofSeconds(6), Duration.ofMillis(700), Duration.ofSeconds(2), 0);
  }

  /**
   * Starts all NameNodes.
   *
   * @param folder for their files
   * @param jvmOptions the same for all
   * @param lines is told of each measurement
   */
  public static SecurityComparison start(
      Plan plan,
      Path folder,
      List<String> jvmOptions,
      Realm realm,
      Steps steps,
      Consumer<String> lines)
      throws IOException {
    SecurityComparison made = new SecurityComparison(plan, steps, new MeasurementLog(lines));
    try {
      Subject ticket = realm.clientTicket();
      for (Contestant each : Contestant.values()) {
        lines.accept("Starting " + each.title() + " without Kerberos and with it");
        Path own = folder.resolve(each.label());
        made.sides.put(each, made.resources.add(Side.start(each, own, jvmOptions, realm, ticket)));
      }
      return made;
    } catch (IOException e) {
      throw made.resources.closeAfter(e);
    }
  }

  /** Measures everything. */
  public SecurityReport run(Machine machine) throws IOException {
    log.begin();
    List<SecurityReport.Row> rows = new ArrayList<>();
    for (List<Turn> group : Turn.groups()) {
      rows.addAll(measure(group));
    }
    return new SecurityReport(machine, plan, rows);
  }

  private List<SecurityReport.Row> measure(List<Turn> group) throws IOException {
    Map<Turn, Map<Contestant, List<Measurement>>> measured = new LinkedHashMap<>();
    for (int round = 0; round < plan.rounds(); round++) {
      for (Turn turn : group) {
        Duration warmUp = round == 0 ? firstWarmUp(turn) : plan.warmUp();
        for (Contestant each : Contestant.values()) {
          Measurement measurement = turn.measure(bench(each, turn, warmUp));
          log.note(each.label(), turn.describe(), measurement);
          measured
              .computeIfAbsent(turn, key -> new EnumMap<>(Contestant.class))
              .computeIfAbsent(each, key -> new ArrayList<>())
              .add(measurement);
        }
      }
    }
    List<SecurityReport.Row> rows = new ArrayList<>();
    measured.forEach((turn, by) -> rows.add(row(turn, by)));
    return rows;
  }

  /**
   * So few connections are opened a second that their code is compiled later than that of calls.
   */
  private Duration firstWarmUp(Turn turn) {
    return plan.firstWarmUp().multipliedBy(turn.opens() ? 5 : 1);
  }

  private static SecurityReport.Row row(Turn turn, Map<Contestant, List<Measurement>> by) {
    return new SecurityReport.Row(
        turn, figures(by.get(Contestant.HDFS)), figures(by.get(Contestant.ACACIA)));
  }

  private static Figures figures(@Nullable List<Measurement> rounds) {
    return Figures.of(Objects.requireNonNull(rounds, "each was measured"));
  }

  private Bench bench(Contestant contestant, Turn turn, Duration warmUp) {
    Side side = Objects.requireNonNull(sides.get(contestant), "each was started");
    BenchSettings settings =
        new BenchSettings(
            side.target(turn.proof()),
            turn.shape(),
            THREADS,
            new BenchSettings.Times(warmUp, plan.duration()),
            plan.sizes(Turn.OPERATION),
            benches,
            true);
    return new Bench(settings, "run-" + benches++, null, steps);
  }

  /** What went wrong; a figure with failures is none. */
  public List<String> failures() {
    return log.failures();
  }

  @Override
  public void close() throws IOException {
    resources.close();
  }
}
