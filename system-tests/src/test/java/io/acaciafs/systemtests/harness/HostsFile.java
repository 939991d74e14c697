package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.jspecify.annotations.Nullable;

/** The file of {@code dfs.hosts} that names all DataNodes of a cluster. */
public record HostsFile(Path file, Cluster cluster) {
  /** Writes it, without a state for any of them. */
  public void write() throws IOException {
    write(null, "");
  }

  /** Writes it, with an administrator's state for one of them. */
  public void write(@Nullable DataNode special, String state) throws IOException {
    List<String> entries = new ArrayList<>();
    for (DataNode node : cluster.dataNodes()) {
      entries.add(
          "{\"hostName\": \"127.0.0.1\", \"port\": "
              + node.getXferPort()
              + (node == special ? ", \"adminState\": \"" + state + "\"}" : "}"));
    }
    Files.writeString(file, entries.toString());
  }

  /** The same, and has the NameNode read it. */
  public void apply(DataNode special, String state) throws IOException {
    write(special, state);
    cluster.fileSystem().refreshNodes();
  }
}
