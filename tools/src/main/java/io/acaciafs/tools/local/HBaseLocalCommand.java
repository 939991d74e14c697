package io.acaciafs.tools.local;

import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.hbase.local.LocalHBaseOptions;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.tools.common.CommandFailure;
import io.acaciafs.tools.common.FolderLock;
import io.acaciafs.tools.common.Foreground;
import io.acaciafs.tools.common.ReadyFile;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A stock HBase on this machine, to try the HBase engine with. */
@Command(
    name = "hbase-local",
    header = "Runs a stock HBase on this machine, to try the HBase engine with.",
    description =
        "Starts ZooKeeper, a master and region servers, and HDFS below them when there are"
            + " several.",
    showDefaultValues = true)
public final class HBaseLocalCommand implements Callable<Integer> {

  /** Short, as after a crash of all of it the next start waits for the old sessions' end. */
  private static final int SESSION_TIMEOUT_MS = 10_000;

  @Option(names = "--servers", description = "How many region servers.")
  private int servers = 1;

  @Option(names = "--dir", paramLabel = "FOLDER", required = true, description = "Holds its data.")
  private Path folder;

  @Option(
      names = "--ready-file",
      paramLabel = "FILE",
      description = "Written (name=value lines) when it serves, removed when it ends.")
  private @Nullable Path readyFile;

  @Override
  public Integer call() throws Exception {
    String classPath = System.getProperty("acacia.hbase.classpath");
    if (classPath == null) {
      throw new CommandFailure("Start it with bin/acacia, which knows where HBase's jars are.");
    }
    try (Foreground hbase = new Foreground(serve(Path.of(classPath)))) {
      hbase.await();
    }
    return 0;
  }

  private ResourceStack serve(Path classPath) throws Exception {
    ResourceStack resources = new ResourceStack();
    try {
      resources.add(FolderLock.take(folder));
      System.out.printf("Starting HBase in %s, which takes half a minute%n", folder);
      LocalHBase hbase =
          resources.add(
              LocalHBase.start(
                  LocalHBaseOptions.of(folder, classPath, servers)
                      .withSessionTimeoutMs(SESSION_TIMEOUT_MS)));
      resources.add(
          ReadyFile.write(readyFile, Map.of("acacia.store.hbase.zookeeper", hbase.zooKeeper())));
      System.out.printf(
          "Ready: acacia.store.hbase.zookeeper=%s (%d region servers, logs in %s)%n",
          hbase.zooKeeper(), servers, folder.resolve("log"));
      return resources;
    } catch (Exception e) {
      throw resources.closeAfter(e);
    }
  }
}
