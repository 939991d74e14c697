package io.acaciafs.tools.bench;

import io.acaciafs.bench.client.Watcher;
import io.acaciafs.bench.load.LoadedReplicas;
import io.acaciafs.bench.load.StoreLoader;
import io.acaciafs.bench.load.TreeShape;
import io.acaciafs.namenode.store.OfflineStore;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.tools.common.CommandFailure;
import io.acaciafs.tools.common.ConfigurationOptions;
import io.acaciafs.tools.common.StepLine;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Fills a freshly formatted folder with a namespace of any size. */
@Command(
    name = "load",
    header = "Fills a freshly formatted folder with a namespace like that of a large cluster.",
    description =
        "No NameNode may serve the folder. Sizes and depths are those of JindoFS's set of"
            + " a billion files. Each file that is not empty has a block with replicas on some"
            + " of --datanodes DataNodes, which exist only as rows: the blocks cannot be read.",
    showDefaultValues = true)
final class BenchLoadCommand implements Callable<Integer> {

  @Mixin private ConfigurationOptions configuration = new ConfigurationOptions();

  @Option(
      names = "--files",
      paramLabel = "N",
      required = true,
      split = ",",
      description =
          "How many files. Several numbers make as many trees, each in a directory of the root.")
  private List<Long> files;

  @Option(
      names = "--directories",
      paramLabel = "N",
      split = ",",
      description =
          "How many directories, or some few less (default: 1.47 %% of all inodes);"
              + " several numbers are for the first trees.")
  private List<Integer> directories = List.of();

  @Option(names = "--datanodes", paramLabel = "N", description = "How many DataNodes.")
  private int datanodes = 3;

  @Option(names = "--replication", paramLabel = "N", description = "Replicas of each block.")
  private int replication = 3;

  @Option(names = "--threads", paramLabel = "N", description = "Threads that write.")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Override
  public Integer call() throws Exception {
    if (Collections.min(files) < 1
        || directories.stream().anyMatch(each -> each < 1)
        || replication < 1
        || datanodes < replication
        || threads < 1) {
      throw new CommandFailure(
          "--files, --directories, --replication and --threads are to be at least 1,"
              + " --datanodes at least --replication");
    }
    if (directories.size() > files.size()) {
      throw new CommandFailure("--directories has more numbers than --files");
    }
    TreeShape shape = TreeShape.of(files, directories);
    Configuration conf = configuration.load();
    StepLine line = new StepLine(System.err, System.console() != null);
    Watcher watcher = line.begin("load");
    try (OfflineStore offline = OfflineStore.open(conf)) {
      StoreLoader loader =
          new StoreLoader(
              offline.store(),
              offline.runner(),
              offline.store().bulkLoader(),
              shape,
              new LoadedReplicas(shape.files(), datanodes, replication),
              threads);
      long start = System.nanoTime();
      loader.run(
          System.getProperty("user.name"),
          conf.get(
              DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_KEY,
              DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_DEFAULT),
          Namespace.ROOT_ID,
          System.currentTimeMillis(),
          done -> watcher.progress(done, done * shape.files() * 1e9 / (System.nanoTime() - start)));
      double seconds = (System.nanoTime() - start) / 1e9;
      line.clear();
      System.out.printf(
          Locale.ROOT,
          "%,d files in %,d directories in %.1f s: %,.0f files a second%n",
          shape.files(),
          shape.directories(),
          seconds,
          shape.files() / seconds);
    }
    return 0;
  }
}
