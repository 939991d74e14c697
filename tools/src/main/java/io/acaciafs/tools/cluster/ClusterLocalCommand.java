package io.acaciafs.tools.cluster;

import io.acaciafs.kv.hbase.local.HBaseJvm;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.tools.common.CommandFailure;
import io.acaciafs.tools.common.Folders;
import io.acaciafs.tools.common.Foreground;
import io.acaciafs.tools.common.Logging;
import io.acaciafs.tools.common.ReadyFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A whole cluster of many NameNodes, with HBase's own files in it, on this machine. */
@Command(
    name = "cluster-local",
    header = "Runs a cluster of many NameNodes on this machine, HBase and its files included.",
    description =
        "Starts three ZooKeepers, three NameNodes by Raft for HBase's files, three DataNodes, two"
            + " HMasters, region servers, NameNodes on HBase and two Routers, each in a process of"
            + " its own, and starts again what ends.",
    showDefaultValues = true)
public final class ClusterLocalCommand implements Callable<Integer> {

  @Option(names = "--namenodes", paramLabel = "N", description = "How many NameNodes on HBase.")
  private int nameNodes = 2;

  @Option(names = "--region-servers", paramLabel = "N", description = "How many region servers.")
  private int regionServers = 2;

  @Option(
      names = "--dir",
      paramLabel = "FOLDER",
      description = "Holds all state and the logs; the same cluster at each start.")
  private Path folder = Path.of(System.getProperty("user.home"), ".acacia-cluster");

  @Option(
      names = "--any-order",
      description =
          "Starts the servers of an earlier start by chance, with pauses: it comes up whichever is"
              + " first.")
  private boolean anyOrder;

  @Option(
      names = "--ready-file",
      paramLabel = "FILE",
      description = "Written (name=value lines) when it serves, removed when it ends.")
  private @Nullable Path readyFile;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    Path log = Folders.create(folder.resolve("log")).resolve("acacia.log");
    Logging.toFile(log.toAbsolutePath());
    try (Foreground cluster = new Foreground(serve())) {
      cluster.await();
    }
    return 0;
  }

  private ServerCounts counts() {
    try {
      return new ServerCounts(nameNodes, regionServers);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private static Path classPathFile(String property) throws CommandFailure {
    String file = System.getProperty(property);
    if (file == null) {
      throw new CommandFailure(
          "Start it with bin/acacia, which knows where the jars of HBase and the Router are.");
    }
    return Path.of(file);
  }

  private ResourceStack serve() throws Exception {
    ServerCounts counts = counts();
    HBaseJvm hbase = HBaseJvm.of(classPathFile("acacia.hbase.classpath"));
    String router = Files.readString(classPathFile("acacia.gateway.classpath")).strip();
    ResourceStack resources = new ResourceStack();
    try {
      System.out.printf("Starting a cluster in %s, which takes some minutes%n", folder);
      FederatedCluster cluster =
          resources.add(
              FederatedCluster.start(folder, counts, hbase, router, anyOrder, System.out::println));
      resources.add(
          ReadyFile.write(
              readyFile,
              Map.of(
                  "fs.defaultFS",
                  FederatedCluster.uri().toString(),
                  "conf",
                  cluster.confFolder().toString())));
      System.out.printf(
          "Ready: %s (%d NameNodes, %d region servers, logs in %s); try: bin/acacia --config %s fs"
              + " -ls /%n",
          FederatedCluster.uri(),
          nameNodes,
          regionServers,
          folder.resolve("log"),
          cluster.confFolder());
      return resources;
    } catch (Exception e) {
      throw resources.closeAfter(e);
    }
  }
}
