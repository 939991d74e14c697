package io.acaciafs.tools;

import io.acaciafs.bench.compare.Machine;
import io.acaciafs.bench.compare.Walks;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileUtil;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** count, du and ls -R on Acacia and on Hadoop's NameNode. */
@Command(
    name = "walks",
    description = {
      "Loads a large tree, exports it as an image for Hadoop's NameNode, and times -count, -du and",
      "-ls -R of Hadoop's shell on both, one after the other."
    },
    showDefaultValues = true)
final class BenchWalksCommand implements Callable<Integer> {

  @Option(names = "--files", paramLabel = "N", description = "How many files.")
  private long files = 18_000_000;

  @Option(names = "--page", paramLabel = "FILE", description = "Write the table into this page.")
  private Path page;

  @Option(
      names = "--dir",
      paramLabel = "FOLDER",
      description = "Where all files are meanwhile (default: a temporary one).")
  private Path parent;

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
    if (files < 1) {
      throw new CommandFailure("--files is to be at least 1");
    }
    Path folder = BenchFolder.create(parent);
    StepLine line = new StepLine(System.err, System.console() != null);
    try {
      Machine machine =
          Machine.look(LocalDate.now(), VersionCommand.properties().getProperty("version"), folder);
      Walks walks =
          new Walks(
              folder,
              hdfsOptions,
              jvmOptions,
              line,
              text -> {
                line.clear();
                System.out.println(text);
              });
      String table = walks.run(files, machine);
      System.out.println();
      System.out.print(table);
      if (page != null) {
        Walks.write(page, table);
      }
      return 0;
    } finally {
      FileUtil.fullyDelete(folder.toFile());
    }
  }
}
