package io.acaciafs.bench.compare;

import io.acaciafs.bench.Steps;
import io.acaciafs.namenode.ResourceStack;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Times Hadoop's shell on large trees that both NameNodes serve: Acacia's is loaded, and exported
 * as the image from which Hadoop's starts. For one thread.
 */
public final class Walks {
  private static final Duration LOAD_LIMIT = Duration.ofHours(1);
  private static final Duration WALK_LIMIT = Duration.ofMinutes(20);
  private static final String SHELL = "org.apache.hadoop.fs.FsShell";
  private static final int ROUNDS = 3;

  /** The trees that JindoFS was measured with: count on the first, ls -R on the second. */
  private static final long DEEP_FILES = 18_000_000;

  private static final long WIDE_FILES = 2_700_000;
  private static final int WIDE_DIRECTORIES = 154;

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
   * Loads a tree of many directories and one of few, and times the walks through them on both.
   *
   * @param files of the first tree; the second one has 15 in 100 of that
   * @param directories of the first tree
   * @return a table in Markdown
   */
  public String run(long files, int directories, Machine machine) throws IOException {
    StringBuilder text = new StringBuilder(machine.describe()).append(".\n");
    text.append(String.format(Locale.ROOT, "Medians of %d.%n%n", ROUNDS));
    text.append("| tree | command | HDFS s | Acacia s | ratio |\n|---|---|---|---|---|\n");
    for (Walk.Tree tree :
        List.of(
            Walk.Tree.deep(files, directories),
            Walk.Tree.wide(Math.max(1, files * WIDE_FILES / DEEP_FILES), WIDE_DIRECTORIES))) {
      time(tree, text);
    }
    return text.toString();
  }

  private void time(Walk.Tree tree, StringBuilder text) throws IOException {
    Path place = folder.resolve("tree-" + tree.directories());
    Site acacia = Site.create(Contestant.ACACIA, place.resolve("acacia"), acaciaOptions, Map.of());
    Site hdfs = Site.create(Contestant.HDFS, place.resolve("hdfs"), hdfsOptions, Map.of());
    Server.format(acacia);
    steps.begin("load");
    acacia.run(
        List.of("bench", "load", "--files=" + tree.files(), "--directories=" + tree.directories()),
        "load",
        LOAD_LIMIT);
    steps.begin("export");
    acacia.run(List.of("export", "--fsimage=" + hdfs.names()), "export", LOAD_LIMIT);
    try (ResourceStack resources = new ResourceStack()) {
      List<Site> sites = List.of(acacia, hdfs);
      for (Site site : sites) {
        steps.begin("start " + site.contestant().title());
        JavaProgram program = resources.add(site.start(site.contestant().serve(), "output"));
        Listening.await(site.address(), program);
      }
      for (Walk walk : tree.walks()) {
        text.append(line(tree, walk, time(sites, walk)));
      }
    }
  }

  /** Medians in seconds; the sites take turns, as the machine's speed changes. */
  private Map<Contestant, Double> time(List<Site> sites, Walk walk) throws IOException {
    Map<Contestant, double[]> rounds = new EnumMap<>(Contestant.class);
    sites.forEach(site -> rounds.put(site.contestant(), new double[ROUNDS]));
    List<Site> order = new ArrayList<>(sites);
    for (int i = 0; i < ROUNDS; i++) {
      Collections.reverse(order); // who comes second finds the machine as the other one left it
      for (Site site : order) {
        double seconds = time(site, walk);
        rounds.get(site.contestant())[i] = seconds;
        log.accept(
            String.format(
                Locale.ROOT,
                "%-8s %-22s %8.2f s",
                site.contestant().label(),
                walk.name(),
                seconds));
      }
    }
    Map<Contestant, Double> medians = new EnumMap<>(Contestant.class);
    rounds.forEach(
        (contestant, seconds) -> {
          Arrays.sort(seconds);
          medians.put(contestant, seconds[ROUNDS / 2]);
        });
    return medians;
  }

  /** From the start of the shell's process to its end, its own time included. */
  private static double time(Site site, Walk walk) throws IOException {
    long begin = System.nanoTime();
    site.runClient(SHELL, walk.arguments(), "shell", WALK_LIMIT);
    return (System.nanoTime() - begin) / 1e9;
  }

  private static String line(Walk.Tree tree, Walk walk, Map<Contestant, Double> medians) {
    double hdfs = medians.get(Contestant.HDFS);
    double acacia = medians.get(Contestant.ACACIA);
    return String.format(
        Locale.ROOT,
        "| %s | `%s` | %.2f | %.2f | %.2f |%n",
        tree,
        walk.name(),
        hdfs,
        acacia,
        hdfs / acacia);
  }

  /** Puts a table into a page. */
  public static void write(Path page, String table) throws IOException {
    new MarkedSection("bench/walks").write(page, table);
  }
}
