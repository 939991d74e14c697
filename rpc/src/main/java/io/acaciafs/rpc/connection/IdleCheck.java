package io.acaciafs.rpc.connection;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether one connection is to be closed because its client does nothing. For the network
 * thread.
 */
final class IdleCheck {
  private final ConnectionChannel channel;
  private final Lifecycle lifecycle;
  private final Inbound inbound;
  private final Outbound outbound;
  private final CallsInFlight calls;
  private final long idleNanos;
  private long openedNanos;

  IdleCheck(
      ConnectionHost host,
      ConnectionChannel channel,
      Lifecycle lifecycle,
      Inbound inbound,
      Outbound outbound,
      CallsInFlight calls) {
    this.channel = channel;
    this.lifecycle = lifecycle;
    this.inbound = inbound;
    this.outbound = outbound;
    this.calls = calls;
    this.idleNanos = TimeUnit.MILLISECONDS.toNanos(host.options().connections().idleTimeoutMs());
  }

  /** The connection is open. */
  void opened(long nowNanos) {
    openedNanos = nowNanos;
  }

  /**
   * Why the connection is to be closed: the client does not name its user or does not read its
   * replies, an incomplete request makes no progress, or it is idle and there are too many.
   *
   * @return null: it stays open
   */
  @Nullable String reason(long nowNanos, boolean tooMany) {
    if (outbound.isStalled(nowNanos)) {
      return "takes no replies";
    }
    if (lifecycle.phase().awaitsUser() && nowNanos - openedNanos > idleNanos) {
      return "has not named its user";
    }
    if (nowNanos - inbound.lastReadNanos() <= idleNanos) {
      return null;
    }
    if (inbound.isWithinRequest() && channel.isReading()) {
      return "a request does not go on";
    }
    return tooMany && calls.count() == 0 && channel.unsentBytes() == 0 ? "idle" : null;
  }
}
