package io.acaciafs.tools.bench;

import io.acaciafs.bench.compare.BadClient;
import io.acaciafs.bench.compare.BadClientReport;
import io.acaciafs.tools.common.CommandFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What one bad client does to another one, on Acacia and on Hadoop's NameNode. */
@Command(
    name = "bad-client",
    header = "Measures what one bad client costs another client, on both NameNodes.",
    description =
        "A client asks for the status of files, one call at a time, first alone and then"
            + " beside a client that lists a directory of 100,000 files on 64 connections without"
            + " end. Needs two processors, and taskset and chrt of util-linux.",
    showDefaultValues = true)
final class BenchBadClientCommand implements Callable<Integer> {

  @Option(names = "--json", paramLabel = "FILE", description = "Write the figures there as JSON.")
  private @Nullable Path json;

  @Option(names = "--warm-up", paramLabel = "SECONDS", description = "Before each measurement.")
  private int warmUpSeconds = 10;

  @Option(names = "--duration", paramLabel = "SECONDS", description = "Of each measurement.")
  private int durationSeconds = 30;

  @Option(
      names = "--only",
      paramLabel = "LABEL",
      description = "Measure only this, hdfs, acacia or acacia_nothing_kept; may be repeated.")
  private List<String> only = BadClient.labels();

  @Mixin private BenchRun run = new BenchRun();

  @Option(
      names = "--jvm",
      paramLabel = "OPTION",
      arity = "1",
      description = "Option of the JVMs of both NameNodes; may be repeated.")
  private List<String> jvmOptions = List.of("-Xms2g", "-Xmx2g");

  @Override
  public Integer call() throws Exception {
    if (durationSeconds < 1 || warmUpSeconds < 0) {
      throw new CommandFailure("--duration is to be at least 1, --warm-up at least 0");
    }
    if (!BadClient.labels().containsAll(only)) {
      throw new CommandFailure("--only is to be one of " + BadClient.labels());
    }
    return run.run(
        (folder, machine, steps) -> {
          BadClientReport report =
              new BadClient(
                      folder,
                      Duration.ofSeconds(warmUpSeconds),
                      Duration.ofSeconds(durationSeconds),
                      jvmOptions,
                      steps,
                      BenchRun.log(steps))
                  .run(only, machine);
          BenchRun.print(report.table());
          if (json != null) {
            Files.writeString(json, report.json());
          }
          run.writePage(report::writeTo);
          return 0;
        });
  }
}
