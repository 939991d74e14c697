package io.acaciafs.tools.bench;

import io.acaciafs.bench.compare.Machine;
import io.acaciafs.namenode.process.Versions;
import io.acaciafs.tools.common.StepLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FileUtil;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What benchmarks have in common that start servers of their own. */
final class BenchRun {

  @Option(names = "--page", paramLabel = "FILE", description = "Write the table into this page.")
  private @Nullable Path page;

  @Option(
      names = "--dir",
      paramLabel = "FOLDER",
      description = "Where all files are meanwhile, on one disk (default: a temporary one).")
  private @Nullable Path parent;

  /** A benchmark in a folder of its own. */
  @FunctionalInterface
  interface Body {
    /**
     * @param steps shows what goes on
     * @return the exit code
     */
    int run(Path folder, Machine machine, StepLine steps) throws Exception;
  }

  /** Puts a table into a page. */
  @FunctionalInterface
  interface PageWriter {
    void write(Path page) throws IOException;
  }

  /** Runs a benchmark and removes its files. */
  int run(Body body) throws Exception {
    if (page != null && !Files.isWritable(page)) {
      throw new IOException(page + " cannot be written; nothing was measured");
    }
    Path folder =
        parent == null
            ? Files.createTempDirectory("acacia-bench-")
            : Files.createTempDirectory(Files.createDirectories(parent).toAbsolutePath(), "bench-");
    try {
      return body.run(
          folder,
          Machine.look(LocalDate.now(), Versions.ACACIA, folder),
          new StepLine(System.err, System.console() != null));
    } finally {
      FileUtil.fullyDelete(folder.toFile());
    }
  }

  /** Prints lines that stay. */
  static Consumer<String> log(StepLine steps) {
    return text -> {
      steps.clear();
      System.out.println(text);
    };
  }

  static void print(String table) {
    System.out.println();
    System.out.print(table);
  }

  /** Writes into the page, if one was asked for. */
  void writePage(PageWriter writer) throws IOException {
    if (page != null) {
      writer.write(page);
    }
  }
}
