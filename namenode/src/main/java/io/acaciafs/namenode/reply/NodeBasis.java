package io.acaciafs.namenode.reply;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.blocks.datanode.NodeVersion;
import io.acaciafs.blocks.token.BlockTokens;
import io.acaciafs.rpc.protocol.CacheableReply;
import io.acaciafs.rpc.protocol.RpcCall;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
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

  /** What the tokens tell of the protection of data. */
  private final @Nullable String qop;

  /** Calls that may be told the nearest replicas first as this one is; null: all. */
  private final @Nullable Predicate<RpcCall> ofSameMachine;

  private NodeBasis(
      BlockManager blocks,
      @Nullable BlockTokens tokens,
      @Nullable String qop,
      @Nullable Predicate<RpcCall> ofSameMachine) {
    this.nodes = blocks.nodeVersion();
    this.version = nodes.get();
    this.endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(blocks.nodesLastMs());
    this.tokens = tokens;
    this.keysVersion = tokens == null ? 0 : tokens.keysVersion();
    this.qop = qop;
    this.ofSameMachine = ofSameMachine;
  }

  /** As of now: take it before anything is said of a DataNode. */
  static NodeBasis of(BlockManager blocks, RoutedClients clients, RpcCall call) {
    return new NodeBasis(blocks, null, null, clients.ofSameMachine(call));
  }

  /**
   * The same of the reply to this call with block tokens, where DataNodes ask for them: take it
   * before anything is signed.
   */
  static NodeBasis ofSigned(BlockManager blocks, RoutedClients clients, RpcCall call) {
    BlockTokens tokens = blocks.tokens();
    return new NodeBasis(
        blocks,
        tokens.isEnabled() ? tokens : null,
        call.auxiliaryPortQop(),
        clients.ofSameMachine(call));
  }

  public CacheableReply limit(CacheableReply reply) {
    long leftMs = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
    CacheableReply limited = reply.onlyWhile(() -> nodes.get() == version).withMaxAgeMs(leftMs);
    if (ofSameMachine != null) {
      limited = limited.onlyFor(ofSameMachine);
    }
    return tokens == null
        ? limited
        : limited
            .onlyWhile(() -> tokens.keysVersion() == keysVersion)
            .onlyFor(call -> Objects.equals(call.auxiliaryPortQop(), qop))
            .withMaxAgeMs(tokens.repliesLastMs());
  }
}
