package io.acaciafs.rpc.connection;

/**
 * Decides whether a connection may process a further request. For the network thread.
 *
 * <p>It may while all of these hold: the phase allows it, the connection is not moving, its calls
 * in flight are below their limit, the client reads its replies, and there is memory. A connection
 * without calls in flight needs none for a request that has come whole.
 */
final class FlowControl {
  private final ConnectionHost host;
  private final ConnectionChannel channel;
  private final Lifecycle lifecycle;
  private final CallsInFlight calls;
  private final Outbound outbound;
  private final Migration migration;
  private final int maxCallsInFlight;

  FlowControl(
      ConnectionHost host,
      ConnectionChannel channel,
      Lifecycle lifecycle,
      CallsInFlight calls,
      Outbound outbound,
      Migration migration) {
    this.host = host;
    this.channel = channel;
    this.lifecycle = lifecycle;
    this.calls = calls;
    this.outbound = outbound;
    this.migration = migration;
    this.maxCallsInFlight = host.options().connections().maxCallsInFlight();
  }

  boolean mayProcess() {
    int inFlight = calls.count();
    if (!lifecycle.phase().processesRequests()
        || !migration.isSettled()
        || inFlight >= maxCallsInFlight
        || (inFlight > 0 && host.memory().isFull())) {
      return false;
    }
    if (!channel.isWritable()) {
      outbound.flush(); // the replies may only wait for the flush, and not for the client
    }
    return channel.isWritable();
  }
}
