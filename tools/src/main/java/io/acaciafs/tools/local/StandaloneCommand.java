package io.acaciafs.tools.local;

import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.tools.common.CommandFailure;
import io.acaciafs.tools.common.ConfigurationOptions;
import io.acaciafs.tools.common.Folders;
import io.acaciafs.tools.common.Foreground;
import io.acaciafs.tools.common.LocalPorts;
import io.acaciafs.tools.common.Logging;
import io.acaciafs.tools.common.ReadyFile;
import java.nio.file.Files;
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
    description = "Runs a NameNode and one DataNode, formatted on first use.",
    showDefaultValues = true)
public final class StandaloneCommand implements Callable<Integer> {

  private static final int NAMENODES_OF_A_GROUP = 3;

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

  @Option(
      names = "--namenodes",
      paramLabel = "N",
      description =
          "1 in this process, or 3 in processes of their own, of which one leads: with the next"
              + " ports each, and in a folder of its own.")
  private int nameNodes = 1;

  @Option(
      names = "--secure",
      description =
          "With Kerberos, for trying out: a KDC in this process, tokens, encrypted data, and HTTPS"
              + " at the next ports after the web ports. On localhost, with one NameNode.")
  private boolean secure;

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
    if (secure && (nameNodes != 1 || !host.equals("localhost"))) {
      throw new ParameterException(
          spec.commandLine(), "--secure goes with one NameNode, on localhost.");
    }
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

  private LocalDeployment start(Configuration conf, LocalPorts ports) throws Exception {
    if (nameNodes != 1 && nameNodes != NAMENODES_OF_A_GROUP) {
      throw new ParameterException(
          spec.commandLine(), "--namenodes is 1 or " + NAMENODES_OF_A_GROUP + ".");
    }
    if (Files.exists(folder.resolve(nameNodes == 1 ? "nn1" : "name"))) {
      throw new CommandFailure(
          "The folder "
              + folder
              + " holds the file system of another number of NameNodes: name another folder with"
              + " --dir, or say --namenodes "
              + (nameNodes == 1 ? NAMENODES_OF_A_GROUP : 1)
              + ".");
    }
    if (secure) {
      return LocalCluster.startSecure(folder, ports, conf, System.out::println);
    }
    if (nameNodes == 1) {
      return LocalCluster.start(folder, host, ports, conf, System.out::println);
    }
    return LocalTrio.start(folder, host, ports, conf, System.out::println);
  }

  private ResourceStack serve(Configuration conf, LocalPorts ports, Path logFile) throws Exception {
    ResourceStack resources = new ResourceStack();
    try {
      LocalDeployment cluster = resources.add(start(conf, ports));
      String dataNode = NetUtils.getHostPortString(cluster.dataNodeAddress());
      String web = host + ":" + cluster.webAddress().getPort();
      System.out.printf(
          "Ready: %s (%s://%s, DataNode %s, files in %s, log in %s); %s%n",
          cluster.uri(),
          secure ? "https" : "http",
          web,
          dataNode,
          folder,
          logFile,
          whatToTry(cluster));
      resources.add(
          ReadyFile.write(
              readyFile,
              Map.of(
                  "fs.defaultFS",
                  cluster.uri().toString(),
                  secure ? "dfs.namenode.https-address" : "dfs.namenode.http-address",
                  web,
                  "dfs.datanode.address",
                  dataNode)));
      return resources;
    } catch (Exception e) {
      throw resources.closeAfter(e);
    }
  }

  private static String whatToTry(LocalDeployment deployment) {
    if (deployment instanceof LocalTrio trio) {
      return "try: bin/acacia --config " + trio.confFolder() + " raft status";
    }
    if (deployment instanceof LocalCluster cluster && cluster.kerberos().isPresent()) {
      return cluster.kerberos().get().whatToType();
    }
    return "try: bin/acacia fs -fs " + deployment.uri() + " -ls /";
  }
}
