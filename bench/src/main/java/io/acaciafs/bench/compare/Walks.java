package io.acaciafs.bench.compare;

import io.acaciafs.bench.Steps;
import io.acaciafs.namenode.ResourceStack;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Times Hadoop's shell on one large tree that both NameNodes serve in turn: Acacia's is loaded, and
 * exported as the image from which Hadoop's starts. For one thread.
 */
public final class Walks {
  private static final Duration LOAD_LIMIT = Duration.ofHours(1);
  private static final Duration WALK_LIMIT = Duration.ofMinutes(20);
  private static final String SHELL = "org.apache.hadoop.fs.FsShell";
  private static final int ROUNDS = 3;

  private final Path folder;
  private final List<String> hdfsOptions;
  private final List<String> acaciaOptions;
  private final Steps steps;
  private final Consumer<String> log;

  /**
   * @param folder for all files; the caller removes it
   * @param hdfsOptions of the JVM of Hadoop's NameNode, which holds the tree in memory
   * @param log is told of each time
   */
  public Walks(
      Path folder,
      List<String> hdfsOptions,
      List<String> acaciaOptions,
      Steps steps,
      Consumer<String> log) {
    this.folder = folder;
    this.hdfsOptions = List.copyOf(hdfsOptions);
    this.acaciaOptions = List.copyOf(acaciaOptions);
    this.steps = steps;
    this.log = log;
  }

  /**
   * Loads so many files, and times every walk on both.
   *
   * @return a table in Markdown
   */
  public String run(long files, Machine machine) throws IOException {
    Site acacia = Site.create(Contestant.ACACIA, folder.resolve("acacia"), acaciaOptions, Map.of());
    Site hdfs = Site.create(Contestant.HDFS, folder.resolve("hdfs"), hdfsOptions, Map.of());
    Server.format(acacia);
    steps.begin("load");
    acacia.run(List.of("bench", "load", "--files=" + files), "load", LOAD_LIMIT);
    steps.begin("export");
    acacia.run(List.of("export", "--fsimage=" + hdfs.names()), "export", LOAD_LIMIT);
    Map<Contestant, List<Double>> seconds = new EnumMap<>(Contestant.class);
    seconds.put(Contestant.ACACIA, time(acacia));
    seconds.put(Contestant.HDFS, time(hdfs));
    return table(files, machine, seconds);
  }

  private List<Double> time(Site site) throws IOException {
    List<Double> medians = new ArrayList<>();
    try (ResourceStack resources = new ResourceStack()) {
      steps.begin("start " + site.contestant().title());
      JavaProgram program = resources.add(site.start(site.contestant().serve(), "output"));
      Listening.await(site.address(), program);
      for (Walk walk : Walk.ALL) {
        List<Double> rounds = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
          rounds.add(time(site, walk));
        }
        rounds.sort(null);
        double median = rounds.get(ROUNDS / 2);
        log.accept(
            String.format(
                Locale.ROOT, "%-8s %-22s %8.2f s", site.contestant().label(), walk.name(), median));
        medians.add(median);
      }
    }
    return medians;
  }

  /** From the start of the shell's process to its end, its own time included. */
  private static double time(Site site, Walk walk) throws IOException {
    long begin = System.nanoTime();
    site.runClient(SHELL, walk.arguments(), "shell", WALK_LIMIT);
    return (System.nanoTime() - begin) / 1e9;
  }

  private static String table(long files, Machine machine, Map<Contestant, List<Double>> seconds) {
    StringBuilder text = new StringBuilder(machine.describe()).append(".\n");
    text.append(String.format(Locale.ROOT, "%,d files; medians of %d.%n%n", files, ROUNDS));
    text.append("| command | HDFS s | Acacia s | ratio |\n|---|---|---|---|\n");
    for (int i = 0; i < Walk.ALL.size(); i++) {
      double hdfs = seconds.get(Contestant.HDFS).get(i);
      double acacia = seconds.get(Contestant.ACACIA).get(i);
      text.append(
          String.format(
              Locale.ROOT,
              "| `%s` | %.2f | %.2f | %.1f |%n",
              Walk.ALL.get(i).name(),
              hdfs,
              acacia,
              hdfs / acacia));
    }
    return text.toString();
  }

  /** Puts a table into a page. */
  public static void write(Path page, String table) throws IOException {
    new MarkedSection("bench/walks").write(page, table);
  }
}
