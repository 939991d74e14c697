package io.acaciafs.namenode.reply;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.blocks.datanode.NodeVersion;
import io.acaciafs.blocks.token.BlockTokens;
import io.acaciafs.rpc.protocol.CacheableReply;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What is known of DataNodes when a reply with locations begins to be made: the reply may be given
 * again as long as that has not changed.
 */
public final class NodeBasis {
  private final NodeVersion nodes;
  private final long version;
  private final long endNanos;

  /** Of the reply; null where it has none. */
  private final @Nullable BlockTokens tokens;

  private final long keysVersion;

  private NodeBasis(NodeVersion nodes, long version, long endNanos, @Nullable BlockTokens tokens) {
    this.nodes = nodes;
    this.version = version;
    this.endNanos = endNanos;
    this.tokens = tokens;
    this.keysVersion = tokens == null ? 0 : tokens.keysVersion();
  }

  /**
   * As of now: take it before anything is said of a DataNode, and before anything is signed.
   *
   * @param hasTokens whether the reply has block tokens, where DataNodes ask for them
   */
  static NodeBasis of(BlockManager blocks, boolean hasTokens) {
    long version = blocks.nodeVersion().get();
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(blocks.nodesLastMs());
    return new NodeBasis(
        blocks.nodeVersion(), version, endNanos, hasTokens ? blocks.tokens() : null);
  }

  public CacheableReply limit(CacheableReply reply) {
    long leftMs = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
    CacheableReply limited = reply.onlyWhile(() -> nodes.get() == version).withMaxAgeMs(leftMs);
    return tokens == null || !tokens.isEnabled()
        ? limited
        : limited
            .onlyWhile(() -> tokens.keysVersion() == keysVersion)
            .withMaxAgeMs(tokens.repliesLastMs());
  }
}
