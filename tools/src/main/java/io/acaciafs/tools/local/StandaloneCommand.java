package io.acaciafs.tools.local;

import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.tools.common.ConfigurationOptions;
import io.acaciafs.tools.common.Folders;
import io.acaciafs.tools.common.Foreground;
import io.acaciafs.tools.common.LocalPorts;
import io.acaciafs.tools.common.Logging;
import io.acaciafs.tools.common.ReadyFile;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A whole file system in one process: NameNode and DataNode, state in one folder. */
@Command(
    name = "standalone",
    description = "Runs a NameNode and one DataNode in one process, formatted on first use.",
    showDefaultValues = true)
public final class StandaloneCommand implements Callable<Integer> {

  @Mixin private ConfigurationOptions configuration = new ConfigurationOptions();

  @Option(
      names = "--dir",
      paramLabel = "FOLDER",
      description =
          "Holds all state and the log; the same file system from wherever it is started.")
  private Path folder = Path.of(System.getProperty("user.home"), ".acacia");

  @Option(
      names = "--host",
      description = "Name or address to listen on. Everyone who reaches it has all rights.")
  private String host = "localhost";

  @Option(names = "--port", description = "The NameNode's port; 0 takes any free one.")
  private int port = 8020;

  @Option(names = "--http-port", description = "The NameNode's web port; 0: any.")
  private int httpPort = 9870;

  @Option(names = "--datanode-port", description = "The DataNode's port for data; 0: any.")
  private int dataNodePort = 9866;

  @Option(names = "--datanode-ipc-port", description = "The DataNode's port for calls; 0: any.")
  private int dataNodeIpcPort = 9867;

  @Option(names = "--datanode-http-port", description = "The DataNode's web port; 0: any.")
  private int dataNodeHttpPort = 9864;

  @Option(
      names = "--ready-file",
      paramLabel = "FILE",
      description = "Written (name=value lines) when both serve, removed when they end.")
  private @Nullable Path readyFile;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    LocalPorts ports = ports();
    Path logFile = Folders.create(folder.resolve("log")).resolve("acacia.log");
    Logging.toFile(logFile.toAbsolutePath());
    Configuration conf = configuration.load();
    try (Foreground cluster = new Foreground(serve(conf, ports, logFile), conf)) {
      cluster.await();
    }
    return 0;
  }

  private LocalPorts ports() {
    try {
      return new LocalPorts(port, httpPort, dataNodePort, dataNodeIpcPort, dataNodeHttpPort);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private ResourceStack serve(Configuration conf, LocalPorts ports, Path logFile) throws Exception {
    ResourceStack resources = new ResourceStack();
    try {
      LocalCluster cluster =
          resources.add(LocalCluster.start(folder, host, ports, conf, System.out::println));
      String dataNode = NetUtils.getHostPortString(cluster.dataNodeAddress());
      String web = host + ":" + cluster.webAddress().getPort();
      resources.add(
          ReadyFile.write(
              readyFile,
              Map.of(
                  "fs.defaultFS",
                  cluster.uri().toString(),
                  "dfs.namenode.http-address",
                  web,
                  "dfs.datanode.address",
                  dataNode)));
      System.out.printf(
          "Ready: %s (http://%s, DataNode %s, files in %s, log in %s); try: bin/acacia fs"
              + " -fs %s -ls /%n",
          cluster.uri(), web, dataNode, folder, logFile, cluster.uri());
      return resources;
    } catch (Exception e) {
      throw resources.closeAfter(e);
    }
  }
}
