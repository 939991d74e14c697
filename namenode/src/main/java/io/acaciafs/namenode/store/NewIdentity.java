package io.acaciafs.namenode.store;

import io.acaciafs.blocks.ClusterIdentity;
import java.net.InetAddress;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.jspecify.annotations.Nullable;

/** The identity of a new cluster. Stateless. */
public final class NewIdentity {
  private NewIdentity() {}

  /**
   * Makes one up.
   *
   * @param clusterId null: made up as well
   */
  public static ClusterIdentity make(Configuration conf, @Nullable String clusterId) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long nowMs = System.currentTimeMillis();
    InetAddress address = DFSUtilClient.getNNAddress(conf).getAddress();
    String host = address == null ? "127.0.0.1" : address.getHostAddress();
    return new ClusterIdentity(
        random.nextInt(1, Integer.MAX_VALUE),
        clusterId == null || clusterId.isEmpty() ? "CID-" + UUID.randomUUID() : clusterId,
        "BP-" + random.nextInt(1, Integer.MAX_VALUE) + "-" + host + "-" + nowMs,
        nowMs);
  }
}
