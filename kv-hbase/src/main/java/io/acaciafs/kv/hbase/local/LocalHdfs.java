package io.acaciafs.kv.hbase.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A NameNode and a DataNode of the same class path, for HBase's own files. */
final class LocalHdfs {
  private static final long LONGEST_FORMAT_S = 120;

  private final Path folder;
  private final Map<String, String> settings = new LinkedHashMap<>();
  private final int port;

  LocalHdfs(Path folder) throws IOException {
    this.folder = folder;
    this.port = FreePorts.next();
    String host = "127.0.0.1:";
    String any = host + 0; // nobody has to find it, and a port named now may be taken by then
    settings.put("fs.defaultFS", uri());
    settings.put("dfs.namenode.rpc-address", host + port);
    settings.put("dfs.namenode.http-address", any);
    settings.put("dfs.namenode.name.dir", folder.resolve("name").toUri().toString());
    settings.put("dfs.datanode.data.dir", folder.resolve("data").toUri().toString());
    settings.put("dfs.datanode.address", any);
    settings.put("dfs.datanode.ipc.address", any);
    settings.put("dfs.datanode.http.address", any);
    settings.put("dfs.replication", "1");
    settings.put("dfs.namenode.safemode.extension", "0");
    settings.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    settings.put("hadoop.security.token.service.use_ip", "true");
    // All start at once, and HBase's master would end where this NameNode does not answer yet;
    // so it asks for a minute and more.
    settings.put("dfs.client.retry.policy.enabled", "true");
    settings.put("dfs.client.retry.policy.spec", "1000,10");
  }

  String uri() {
    return "hdfs://127.0.0.1:" + port;
  }

  /** What the processes, and HBase's as well, have to know. */
  Map<String, String> settings() {
    return settings;
  }

  /** Starts both, and makes an empty file system first if there is none. */
  void start(LocalProcesses processes) throws IOException, InterruptedException {
    if (!Files.exists(folder.resolve("name"))) {
      ChildJvm format =
          processes.run(
              "hdfs-format",
              256,
              List.of(
                  "org.apache.hadoop.hdfs.server.namenode.NameNode", "-format", "-nonInteractive"));
      format.awaitSuccess(LONGEST_FORMAT_S);
    }
    processes.keep(
        "hdfs-namenode", 256, List.of("org.apache.hadoop.hdfs.server.namenode.NameNode"));
    processes.keep(
        "hdfs-datanode", 256, List.of("org.apache.hadoop.hdfs.server.datanode.DataNode"));
  }
}
