package io.acaciafs.tools.local;

import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.tools.common.Await;
import io.acaciafs.tools.common.CommandFailure;
import io.acaciafs.tools.common.Hints;
import io.acaciafs.tools.common.LocalPorts;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.log4j.Level;
import org.apache.log4j.LogManager;

/** Hadoop's own DataNode in this process. Stateless. */
final class LocalDataNode {
  private static final Duration READY_LIMIT = Duration.ofSeconds(60);

  private LocalDataNode() {}

  /** Sets where it listens, and that it is the only one. */
  static void configure(Configuration conf, String host, LocalPorts ports) {
    conf.set("dfs.datanode.hostname", host);
    conf.set("dfs.datanode.address", host + ":" + ports.transfer());
    conf.set("dfs.datanode.ipc.address", host + ":" + ports.ipc());
    conf.set("dfs.datanode.http.address", host + ":" + ports.http());
    conf.setInt("dfs.replication", 1);
  }

  /**
   * Starts one.
   *
   * @param resources stops it
   */
  static DataNode start(Configuration conf, ResourceStack resources)
      throws IOException, CommandFailure {
    try {
      DataNode dataNode = DataNode.instantiateDataNode(null, conf);
      if (dataNode == null) {
        throw new CommandFailure("The DataNode does not accept its configuration; see the log.");
      }
      resources.add(() -> stop(dataNode));
      dataNode.runDatanodeDaemon();
      return dataNode;
    } catch (IOException e) {
      if (Hints.isPortInUse(e)) {
        String address = conf.get("dfs.datanode.address");
        String options = "--datanode-port, --datanode-ipc-port, --datanode-http-port";
        throw new CommandFailure(portInUse("DataNode", address, options), e);
      }
      throw e;
    }
  }

  /**
   * While the JVM shuts down, the DataNode saves its state by hooks of its own, as it does alone;
   * {@code shutdown} would fail then, on taking those hooks back.
   */
  private static void stop(DataNode dataNode) {
    if (ShutdownHookManager.get().isShutdownInProgress()) {
      // its heartbeats find that the NameNode has ended, and log so under this name
      LogManager.getLogger(DataNode.class).setLevel(Level.OFF);
    } else {
      dataNode.shutdown();
    }
  }

  static String portInUse(String daemon, String address, String options) {
    return "The "
        + daemon
        + " cannot listen on "
        + address
        + ", a port is in use: stop the program that listens there, or choose another with "
        + options
        + " (0 takes any free one).";
  }

  /** Waits until the NameNode knows it. */
  static void awaitLive(DataNode dataNode, DistributedFileSystem fs)
      throws IOException, CommandFailure {
    try {
      Await.until(
          "The registration of the DataNode",
          READY_LIMIT,
          () -> {
            if (!dataNode.isDatanodeUp()) {
              throw new IOException("The DataNode has ended; the log says why.");
            }
            return Arrays.stream(fs.getDataNodeStats(DatanodeReportType.LIVE))
                .anyMatch(live -> live.getDatanodeUuid().equals(dataNode.getDatanodeUuid()));
          });
    } catch (TimeoutException e) {
      throw new CommandFailure(e.getMessage() + "; the log says why.", e);
    }
  }
}
