package io.acaciafs.tools.bench;

import io.acaciafs.bench.echo.EchoServer;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.tools.common.CommandFailure;
import io.acaciafs.tools.common.Foreground;
import io.acaciafs.tools.common.ReadyFile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.net.NetUtils;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The limit of what any NameNode can do: a server that does nothing for a call. */
@Command(
    name = "echo",
    description = "Answers every call of 'acacia bench' with the same bytes, until SIGTERM.",
    showDefaultValues = true)
final class BenchEchoCommand implements Callable<Integer> {

  @Option(names = "--host", description = "Name or address to listen on.")
  private String host = "localhost";

  @Option(names = "--port", description = "Port to listen on; 0 takes any free one.")
  private int port = 8020;

  @Option(
      names = "--message-bytes",
      paramLabel = "N",
      description = "Length of the message in a reply; the default is about that of a stat.")
  private int messageBytes = 80;

  @Option(names = "--threads", paramLabel = "N", description = "Threads that serve.")
  private int threads = 1;

  @Option(
      names = "--ready-file",
      paramLabel = "FILE",
      description = "Written (name=value lines) when it serves, removed when it ends.")
  private @Nullable Path readyFile;

  @Override
  public Integer call() throws Exception {
    if (messageBytes < 1 || threads < 1) {
      throw new CommandFailure("--message-bytes and --threads are to be at least 1");
    }
    try (Foreground echo = new Foreground(serve())) {
      echo.await();
    }
    return 0;
  }

  private ResourceStack serve() throws IOException {
    ResourceStack resources = new ResourceStack();
    try {
      EchoServer server =
          EchoServer.start(new InetSocketAddress(host, port), messageBytes, threads);
      resources.add(server::close);
      String uri = "hdfs://" + NetUtils.getHostPortString(server.address());
      resources.add(ReadyFile.write(readyFile, Map.of("fs.defaultFS", uri)));
      System.out.println("The echo serves " + uri);
      return resources;
    } catch (IOException e) {
      throw resources.closeAfter(e);
    }
  }
}
