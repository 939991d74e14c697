package io.acaciafs.tools;

import io.acaciafs.bench.compare.Growth;
import io.acaciafs.bench.compare.GrowthPoint;
import io.acaciafs.bench.compare.Machine;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileUtil;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Acacia on namespaces of growing size. */
@Command(
    name = "growth",
    description = {
      "Loads namespaces of growing size, starts a NameNode on each, and measures it: time to the first",
      "answer, memory, disk, operations on files of the benchmark's own and on any of the loaded ones."
    },
    showDefaultValues = true)
final class BenchGrowthCommand implements Callable<Integer> {

  @Option(names = "--files", paramLabel = "N", split = ",", description = "The sizes.")
  private List<Long> files = List.of(100_000L, 1_000_000L, 10_000_000L, 100_000_000L);

  @Option(names = "--page", paramLabel = "FILE", description = "Write the table into this page.")
  private Path page;

  @Option(
      names = "--dir",
      paramLabel = "FOLDER",
      description = "Where all files are meanwhile (default: a temporary one).")
  private Path parent;

  @Option(
      names = "--jvm",
      paramLabel = "OPTION",
      arity = "1",
      description = "Option of the NameNode's JVM; may be repeated.")
  private List<String> jvmOptions = List.of("-Xms1g", "-Xmx1g");

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Setting of the NameNode; may be repeated.")
  private Map<String, String> settings = Map.of();

  @Override
  public Integer call() throws Exception {
    if (files.stream().anyMatch(each -> each < 1)) {
      throw new CommandFailure("--files are to be at least 1");
    }
    Path folder = BenchFolder.create(parent);
    StepLine line = new StepLine(System.err, System.console() != null);
    try {
      Machine machine =
          Machine.look(LocalDate.now(), VersionCommand.properties().getProperty("version"), folder);
      Growth growth =
          new Growth(
              folder,
              jvmOptions,
              settings,
              line,
              text -> {
                line.clear();
                System.out.println(text);
              });
      List<GrowthPoint> points = new ArrayList<>();
      for (long each : files) {
        points.add(growth.measure(each));
      }
      String table = GrowthPoint.table(machine, points);
      System.out.println();
      System.out.print(table);
      if (page != null) {
        GrowthPoint.write(page, table);
      }
      return 0;
    } finally {
      FileUtil.fullyDelete(folder.toFile());
    }
  }
}
