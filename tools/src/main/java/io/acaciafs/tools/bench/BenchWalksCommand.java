package io.acaciafs.tools.bench;

import io.acaciafs.bench.compare.Walks;
import io.acaciafs.tools.common.CommandFailure;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** count, du and ls -R on Acacia and on Hadoop's NameNode. */
@Command(
    name = "walks",
    header = "Times -count, -du and -ls -R of large trees on both NameNodes.",
    description =
        "Loads a large tree of many directories and a smaller one of 154, exports both as"
            + " an image for Hadoop's NameNode, loads the same among many other files, and times"
            + " -count, -du and -ls -R of Hadoop's shell on all three NameNodes, in turn.",
    showDefaultValues = true)
final class BenchWalksCommand implements Callable<Integer> {

  @Option(
      names = "--files",
      paramLabel = "N",
      description = "How many files in the large tree; 15 in 100 of that in the other.")
  private long files = 18_000_000;

  @Option(
      names = "--directories",
      paramLabel = "N",
      description = "How many directories in the large tree.")
  private int directories = 500_000;

  @Option(
      names = "--others",
      paramLabel = "N",
      description = "How many files beside both trees in the namespace that Acacia alone serves.")
  private long others = 79_300_000;

  @Mixin private BenchRun run = new BenchRun();

  @Option(
      names = "--hdfs-jvm",
      paramLabel = "OPTION",
      arity = "1",
      description = "Option of the JVM of Hadoop's NameNode; may be repeated.")
  private List<String> hdfsOptions = List.of("-Xmx14g");

  @Option(
      names = "--jvm",
      paramLabel = "OPTION",
      arity = "1",
      description = "Option of the JVM of Acacia's NameNode; may be repeated.")
  private List<String> jvmOptions = List.of("-Xmx1g");

  @Override
  public Integer call() throws Exception {
    if (files < 1 || directories < 1 || others < 1) {
      throw new CommandFailure("--files, --directories and --others are to be at least 1");
    }
    return run.run(
        (folder, machine, steps) -> {
          Walks walks = new Walks(folder, hdfsOptions, jvmOptions, steps, BenchRun.log(steps));
          String table = walks.run(files, directories, others, machine);
          BenchRun.print(table);
          run.writePage(page -> Walks.write(page, table));
          return 0;
        });
  }
}
