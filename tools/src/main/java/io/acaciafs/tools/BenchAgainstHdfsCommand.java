package io.acaciafs.tools;

import io.acaciafs.bench.compare.Comparison;
import io.acaciafs.bench.compare.ComparisonReport;
import io.acaciafs.bench.compare.Machine;
import io.acaciafs.bench.compare.Plan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileUtil;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Acacia and Hadoop's NameNode, measured in turn on this machine. */
@Command(
    name = "against-hdfs",
    description = "Starts Hadoop's NameNode and Acacia's, measures both in turn, shows the ratios.",
    showDefaultValues = true)
final class BenchAgainstHdfsCommand implements Callable<Integer> {

  @Option(names = "--quick", description = "Ends within ten minutes.")
  private boolean quick;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the figures there as JSON.")
  private Path json;

  @Option(names = "--page", paramLabel = "FILE", description = "Write the table into this page.")
  private Path page;

  @Option(
      names = "--dir",
      paramLabel = "FOLDER",
      description =
          "Where both keep their files meanwhile, on one disk (default: a temporary one).")
  private Path parent;

  @Option(
      names = "--jvm",
      paramLabel = "OPTION",
      arity = "1",
      description = "Option of both JVMs; may be repeated.")
  private List<String> jvmOptions = List.of("-Xms2g", "-Xmx2g");

  @Override
  public Integer call() throws Exception {
    Path folder = BenchFolder.create(parent);
    StepLine line = new StepLine(System.err, System.console() != null);
    try {
      Machine machine =
          Machine.look(LocalDate.now(), VersionCommand.properties().getProperty("version"), folder);
      try (Comparison comparison =
          Comparison.start(
              quick ? Plan.quick() : Plan.thorough(),
              folder,
              jvmOptions,
              line,
              text -> {
                line.clear();
                System.out.println(text);
              })) {
        show(comparison.run(machine));
        comparison.failures().forEach(failure -> System.err.println("failed: " + failure));
        return comparison.failures().isEmpty() ? 0 : 1;
      }
    } finally {
      FileUtil.fullyDelete(folder.toFile());
    }
  }

  private void show(ComparisonReport report) throws Exception {
    System.out.println();
    System.out.print(report.table());
    if (json != null) {
      Files.writeString(json, report.json());
    }
    if (page != null) {
      report.writeTo(page);
    }
  }
}
