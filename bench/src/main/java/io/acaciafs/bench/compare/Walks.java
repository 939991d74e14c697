package io.acaciafs.bench.compare;

import io.acaciafs.bench.Steps;
import io.acaciafs.bench.load.TreeShape;
import io.acaciafs.namenode.process.ResourceStack;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Times Hadoop's shell on two large trees of one namespace. Acacia's is loaded, and exported as the
 * image from which Hadoop's NameNode starts; another NameNode of Acacia has the same trees among
 * many more files. For one thread.
 */
public final class Walks {
  private static final Duration LOAD_LIMIT = Duration.ofHours(1);
  private static final Duration WALK_LIMIT = Duration.ofMinutes(20);
  private static final String SHELL = "org.apache.hadoop.fs.FsShell";
  private static final int ROUNDS = 3;
  private static final String HEADER =
      """
      | tree | command | HDFS, %,d files, s | Acacia, %,d files, s | ratio | Acacia, %,d files, s |
      |---|---|---|---|---|---|
      """;

  private static final String HDFS = "hdfs";
  private static final String ACACIA = "acacia";
  private static final String LARGE = "acacia-large";

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
   * @param hdfsOptions of the JVM of Hadoop's NameNode, which holds the trees in memory
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
   * Loads a tree of many directories and one of few, and times the walks through them.
   *
   * @param files of the first tree; the second one has 15 in 100 of that
   * @param directories of the first tree
   * @param others files beside both trees in the second namespace, which Acacia alone serves
   * @return a table in Markdown
   */
  public String run(long files, int directories, long others, Machine machine) throws IOException {
    long wideFiles = Math.max(1, files * WIDE_FILES / DEEP_FILES);
    List<Integer> directoriesOfBoth = List.of(directories, WIDE_DIRECTORIES);
    List<Long> both = List.of(files, wideFiles);
    List<Long> all = List.of(files, wideFiles, others);
    Site acacia = load(ACACIA, both, directoriesOfBoth);
    Site hdfs = Site.create(Contestant.HDFS, folder.resolve(HDFS), hdfsOptions, Map.of());
    steps.begin("export");
    acacia.run(List.of("export", "--fsimage=" + hdfs.names()), "export", LOAD_LIMIT);
    Site large = load(LARGE, all, directoriesOfBoth);

    StringBuilder text = new StringBuilder(machine.describe()).append(".\n");
    text.append(String.format(Locale.ROOT, "Medians of %d, in turn.%n%n", ROUNDS));
    text.append(String.format(Locale.ROOT, HEADER, sum(both), sum(both), sum(all)));
    List<Served> sites =
        List.of(new Served(HDFS, hdfs), new Served(ACACIA, acacia), new Served(LARGE, large));
    try (ResourceStack resources = new ResourceStack()) {
      for (Served each : sites) {
        steps.begin("start " + each.label());
        Site site = each.site();
        JavaProgram program = resources.add(site.start(site.contestant().serve(), "output"));
        Listening.await(site.address(), program);
      }
      for (Walk.Tree tree : trees(both, directoriesOfBoth)) {
        for (Walk walk : tree.walks()) {
          text.append(line(tree, walk, time(sites, walk)));
        }
      }
    }
    return text.toString();
  }

  private static long sum(List<Long> files) {
    return files.stream().mapToLong(Long::longValue).sum();
  }

  /** A folder of Acacia's with trees side by side. */
  private Site load(String name, List<Long> files, List<Integer> directories) throws IOException {
    Site site = Site.create(Contestant.ACACIA, folder.resolve(name), acaciaOptions, Map.of());
    Server.format(site);
    steps.begin("load " + name);
    site.run(
        List.of(
            "bench", "load", "--files=" + joined(files), "--directories=" + joined(directories)),
        "load",
        LOAD_LIMIT);
    return site;
  }

  private static String joined(List<?> numbers) {
    return numbers.stream().map(Object::toString).collect(Collectors.joining(","));
  }

  /** What follows them in a namespace does not change their paths. */
  private static List<Walk.Tree> trees(List<Long> files, List<Integer> directories) {
    TreeShape shape = TreeShape.of(files, directories);
    int deepRoot = shape.child(0, 0);
    String deep = shape.pathOf(deepRoot);
    String quarter = shape.pathOf(shape.child(deepRoot, 0));
    String wide = shape.pathOf(shape.child(0, 1));
    return List.of(
        new Walk.Tree(
            files.get(0),
            directories.get(0),
            List.of(Walk.count(deep), Walk.sum(deep), Walk.list("-ls -R of a quarter", quarter))),
        new Walk.Tree(
            files.get(1),
            directories.get(1),
            List.of(Walk.count(wide), Walk.list("-ls -R", wide))));
  }

  /** Medians in seconds by label; the sites take turns, as the machine's speed changes. */
  private Map<String, Double> time(List<Served> sites, Walk walk) throws IOException {
    Map<String, double[]> rounds = new HashMap<>();
    sites.forEach(each -> rounds.put(each.label(), new double[ROUNDS]));
    List<Served> order = new ArrayList<>(sites);
    for (int i = 0; i < ROUNDS; i++) {
      Collections.reverse(order); // who comes later finds the machine as the others left it
      for (Served each : order) {
        double seconds = time(each.site(), walk);
        Objects.requireNonNull(rounds.get(each.label()), "each has some")[i] = seconds;
        log.accept(
            String.format(Locale.ROOT, "%-14s %-20s %8.2f s", each.label(), walk.name(), seconds));
      }
    }
    Map<String, Double> medians = new HashMap<>();
    rounds.forEach(
        (label, seconds) -> {
          Arrays.sort(seconds);
          medians.put(label, seconds[ROUNDS / 2]);
        });
    return medians;
  }

  /** From the start of the shell's process to its end, its own time included. */
  private static double time(Site site, Walk walk) throws IOException {
    long begin = System.nanoTime();
    site.runClient(SHELL, walk.arguments(), "shell", WALK_LIMIT);
    return (System.nanoTime() - begin) / 1e9;
  }

  private static String line(Walk.Tree tree, Walk walk, Map<String, Double> medians) {
    double hdfs = Objects.requireNonNull(medians.get(HDFS), "it was timed");
    double acacia = Objects.requireNonNull(medians.get(ACACIA), "it was timed");
    return String.format(
        Locale.ROOT,
        "| %s | `%s` | %.2f | %.2f | %.2f | %.2f |%n",
        tree,
        walk.name(),
        hdfs,
        acacia,
        hdfs / acacia,
        medians.get(LARGE));
  }

  /** Puts a table into a page. */
  public static void write(Path page, String table) throws IOException {
    new MarkedSection("bench/walks").write(page, table);
  }

  /** One NameNode. */
  private record Served(String label, Site site) {}
}
