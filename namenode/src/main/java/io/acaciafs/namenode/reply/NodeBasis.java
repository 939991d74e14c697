package io.acaciafs.namenode.reply;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.blocks.datanode.NodeVersion;
import io.acaciafs.rpc.protocol.CacheableReply;
import java.util.concurrent.TimeUnit;

/**
 * What is known of DataNodes when a reply with locations begins to be made: the reply may be given
 * again as long as that has not changed.
 */
public final class NodeBasis {
  private final NodeVersion nodes;
  private final long version;
  private final long endNanos;

  private NodeBasis(NodeVersion nodes, long version, long endNanos) {
    this.nodes = nodes;
    this.version = version;
    this.endNanos = endNanos;
  }

  /** As of now: take it before anything is said of a DataNode. */
  static NodeBasis of(BlockManager blocks) {
    long version = blocks.nodeVersion().get();
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(blocks.nodesLastMs());
    return new NodeBasis(blocks.nodeVersion(), version, endNanos);
  }

  public CacheableReply limit(CacheableReply reply) {
    long leftMs = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
    return reply.onlyWhile(() -> nodes.get() == version).withMaxAgeMs(leftMs);
  }
}
