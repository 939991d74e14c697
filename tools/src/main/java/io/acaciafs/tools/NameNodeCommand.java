package io.acaciafs.tools;

import io.acaciafs.namenode.NameNode;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.tools.common.ConfigurationOptions;
import io.acaciafs.tools.common.Foreground;
import io.acaciafs.tools.common.Logging;
import io.acaciafs.tools.common.ReadyFile;
import io.acaciafs.tools.common.WithoutMapReduce;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a NameNode in the foreground until SIGTERM. */
@Command(name = "namenode", description = "Runs a NameNode on a formatted folder.")
final class NameNodeCommand implements Callable<Integer> {
  private static final long LONGEST_END_ON_HBASE_MS = 15_000;

  @Mixin private ConfigurationOptions configuration = new ConfigurationOptions();

  @Option(
      names = "--ready-file",
      paramLabel = "FILE",
      description = "Written (name=value lines) when the NameNode serves, removed when it ends.")
  private @Nullable Path readyFile;

  @Override
  public Integer call() throws Exception {
    Logging.toConsole();
    Thread thread = Thread.currentThread();
    thread.setContextClassLoader(new WithoutMapReduce(thread.getContextClassLoader()));
    NameNode.loadAhead();
    Configuration conf = configuration.load();
    try (Foreground nameNode = new Foreground(serve(conf), conf, longestEndMs(conf))) {
      nameNode.await();
    }
    return 0;
  }

  /** HBase has all acknowledged operations, and may not answer when this process ends. */
  private static long longestEndMs(Configuration conf) throws IOException {
    return NameNode.isOnServers(conf) ? LONGEST_END_ON_HBASE_MS : Long.MAX_VALUE;
  }

  private ResourceStack serve(Configuration conf) throws Exception {
    ResourceStack resources = new ResourceStack();
    try {
      NameNode nameNode = resources.add(NameNode.start(conf));
      String address = NetUtils.getHostPortString(nameNode.rpcAddress());
      String uri = "hdfs://" + address;
      Map<String, String> ready = new LinkedHashMap<>(Map.of("fs.defaultFS", uri));
      nameNode
          .webAddresses()
          .forEach((setting, at) -> ready.put(setting, NetUtils.getHostPortString(at)));
      System.out.println("The NameNode serves " + uri);
      resources.add(ReadyFile.write(readyFile, ready));
      return resources;
    } catch (Exception e) {
      throw resources.closeAfter(e);
    }
  }
}
