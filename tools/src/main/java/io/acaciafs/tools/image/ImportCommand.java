package io.acaciafs.tools.image;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.fsimage.ImageImport;
import io.acaciafs.fsimage.ImageNeighbours;
import io.acaciafs.fsimage.ImageReport;
import io.acaciafs.fsimage.format.ImageIdentity;
import io.acaciafs.namenode.store.FolderToFill;
import io.acaciafs.namenode.store.NewStore;
import io.acaciafs.tools.common.CommandFailure;
import io.acaciafs.tools.common.ConfigurationOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Takes an HDFS cluster over: its namespace from the image, its blocks where they are. */
@Command(
    name = "import",
    header = "Takes over the namespace of an HDFS cluster from the image of its NameNode.",
    description =
        "dfs.namenode.name.dir has to be empty or freshly formatted. No data is copied:"
            + " ids stay the same, so the cluster's DataNodes register with Acacia and keep"
            + " their blocks.",
    showDefaultValues = true)
public final class ImportCommand implements Callable<Integer> {

  private static final Pattern IMAGE = Pattern.compile("fsimage_\\d+");
  private static final String NEXT =
      "Nothing was changed. Next: have Hadoop's NameNode save its image in safe mode, stop it, and"
          + " run the same on that image without --dry-run; docs/adopting.md has the steps.";
  private static final String NEXT_REFUSED =
      "Nothing was changed. Next: remove from the cluster what cannot be taken over, or leave it"
          + " behind by --skip: the DataNodes delete its blocks; docs/adopting.md has the steps.";

  @Mixin private ConfigurationOptions configuration = new ConfigurationOptions();

  @Option(
      names = "--fsimage",
      paramLabel = "FILE",
      required = true,
      description = "The image, saved in safe mode: fsimage_N in Hadoop's dfs.namenode.name.dir.")
  private Path image;

  @Option(
      names = "--version-file",
      paramLabel = "FILE",
      description = "The cluster's VERSION file (default: beside the image).")
  private @Nullable Path versionFile;

  @Option(names = "--dry-run", description = "Only say what is there and what cannot be taken.")
  private boolean dryRun;

  @Option(
      names = "--skip",
      description =
          "Leave behind what cannot be taken. DataNodes delete the blocks of what is left behind.")
  private boolean skip;

  @Option(
      names = "--old-image",
      description =
          "Take an image beside which there is a newer one, more in the edit log, or a"
              + " NameNode that runs. DataNodes delete the blocks of all that was written since.")
  private boolean oldImage;

  @Option(names = "--no-md5", description = "Whatever the checksum beside the image says.")
  private boolean noMd5;

  @Option(names = "--threads", paramLabel = "N", description = "Threads that work on inodes.")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Override
  public Integer call() throws Exception {
    if (threads < 1) {
      throw new CommandFailure("--threads is to be at least 1");
    }
    if (Files.isDirectory(image)) {
      throw new CommandFailure(
          image + " is a folder: --fsimage names a file in it, e.g. " + exampleIn(image));
    }
    Configuration conf = configuration.load();
    try (ImageSteps steps = new ImageSteps(System.err, System.console() != null)) {
      if (dryRun) {
        return tryOut(steps);
      }
      if (!oldImage) {
        ImageNeighbours.requireNewest(image);
      }
      try (FolderToFill folder = FolderToFill.take(conf)) {
        return run(folder, steps);
      }
    }
  }

  /** The newest image in a folder of Hadoop's NameNode; an assumed name if the folder has none. */
  private static Path exampleIn(Path folder) throws IOException {
    Path current = folder.resolve("current");
    Path images = Files.isDirectory(current) ? current : folder;
    try (Stream<Path> files = Files.list(images)) {
      return files
          .filter(file -> IMAGE.matcher(file.getFileName().toString()).matches())
          .max(Comparator.naturalOrder())
          .orElse(images.resolve("fsimage_0000000000000000042"));
    }
  }

  private int tryOut(ImageSteps steps) throws IOException {
    String name = "acacia-import-" + ProcessHandle.current().pid();
    Path folder = Path.of(System.getProperty("java.io.tmpdir"), name);
    try (ImageImport source = ImageImport.open(image, folder, threads, !noMd5, steps)) {
      ImageReport report = source.survey(steps);
      steps.close();
      System.out.print(ImageReportText.of(report));
      boolean isTaken = report.refused().isEmpty() || skip;
      System.out.println(isTaken ? NEXT : NEXT_REFUSED);
      return isTaken ? 0 : 1;
    }
  }

  private int run(FolderToFill folder, ImageSteps steps) throws Exception {
    long start = System.nanoTime();
    try (ImageImport source =
        ImageImport.open(image, folder.temporaryFolder(), threads, !noMd5, steps)) {
      ClusterIdentity identity =
          ImageIdentity.read(
              versionFile == null ? ImageIdentity.versionBeside(image) : versionFile,
              source.namespaceId());
      ImageReport report = source.survey(steps);
      if (!report.refused().isEmpty() && !skip) {
        steps.close();
        System.out.print(ImageReportText.of(report));
        throw new CommandFailure(
            "The image holds what cannot be taken over; nothing was changed. --skip leaves it"
                + " behind, and the DataNodes delete its blocks.");
      }
      long leftOut;
      try (NewStore target = NewStore.create(folder, identity)) {
        leftOut = source.load(target.runner(), target.store().bulkLoader(), steps);
        steps.close();
        target.finish();
      }
      System.out.print(ImageReportText.of(report));
      double seconds = (System.nanoTime() - start) / 1e9;
      System.out.printf(
          Locale.ROOT,
          "Imported %,d inodes in %.1f s (%,.0f a second); %,d stay behind%n",
          report.counts().inodes() - leftOut,
          seconds,
          report.counts().inodes() / seconds,
          leftOut);
    }
    return 0;
  }
}
