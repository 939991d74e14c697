package io.acaciafs.kv.hbase.local;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;

/** The nodes in ZooKeeper by which HBase knows that a region server lives. Stateless. */
final class ServerNodes {
  private static final String PARENT = "/hbase/rs";
  private static final int PATIENCE_MS = 10_000;

  private ServerNodes() {}

  /**
   * Removes the node of the server at a port, which is named {@code host,port,start}.
   *
   * @throws IOException when there is none, or ZooKeeper does not answer
   */
  static void remove(String zooKeeper, int port) throws IOException, InterruptedException {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper client =
        new ZooKeeper(
            zooKeeper,
            PATIENCE_MS,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    try {
      if (!connected.await(PATIENCE_MS, TimeUnit.MILLISECONDS)) {
        throw new IOException("ZooKeeper does not answer at " + zooKeeper);
      }
      client.delete(PARENT + "/" + nodeOf(port, client.getChildren(PARENT, false)), -1);
    } catch (KeeperException e) {
      throw new IOException("The node of the server at port " + port + " is not removed", e);
    } finally {
      client.close();
    }
  }

  private static String nodeOf(int port, List<String> nodes) throws IOException {
    return nodes.stream()
        .filter(node -> node.split(",")[1].equals(String.valueOf(port)))
        .findFirst()
        .orElseThrow(() -> new IOException("No region server with port " + port + ": " + nodes));
  }
}
