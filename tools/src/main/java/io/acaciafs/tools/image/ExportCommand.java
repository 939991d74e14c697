package io.acaciafs.tools.image;

import io.acaciafs.fsimage.ImageCounts;
import io.acaciafs.fsimage.ImageExport;
import io.acaciafs.namenode.image.ServedExport;
import io.acaciafs.namenode.store.Engines;
import io.acaciafs.namenode.store.OfflineStore;
import io.acaciafs.tools.common.ConfigurationOptions;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The way back: a name directory from which Hadoop's NameNode starts. */
@Command(
    name = "export",
    header = "Writes the namespace as a folder from which Hadoop's own NameNode starts.",
    description =
        "All ids stay the same, so the DataNodes keep their blocks. Stop Acacia first; no file"
            + " or directory in it is changed. Of NameNodes of which one leads, that one makes the"
            + " folder, on its own machine, while it serves: enter safe mode first.",
    showDefaultValues = true)
public final class ExportCommand implements Callable<Integer> {

  @Mixin private ConfigurationOptions configuration = new ConfigurationOptions();

  @Option(
      names = "--fsimage",
      paramLabel = "FOLDER",
      required = true,
      description = "The folder to make: dfs.namenode.name.dir of Hadoop's NameNode.")
  private Path folder;

  @Override
  public Integer call() throws Exception {
    Configuration conf = configuration.load();
    if (Engines.chosen(conf).isReplicated()) { // what was written last is on all of them
      System.out.println(ServedExport.ask(conf, folder.toAbsolutePath().normalize()));
      return 0;
    }
    long start = System.nanoTime();
    ImageCounts counts;
    try (OfflineStore offline = OfflineStore.open(conf);
        ImageSteps steps = new ImageSteps(System.err, System.console() != null)) {
      ImageExport export = new ImageExport(offline.store(), offline.identity());
      export.requireNoRollingUpgrade();
      counts = export.run(folder, steps);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        Locale.ROOT,
        "Exported %,d files, %,d directories, %,d symbolic links and %,d blocks in %.1f s (%,.0f"
            + " inodes a second) to %s%n",
        counts.files(),
        counts.directories(),
        counts.symlinks(),
        counts.blocks(),
        seconds,
        counts.inodes() / seconds,
        folder);
    return 0;
  }
}
