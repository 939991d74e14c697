package io.acaciafs.blocks.peers;

import io.acaciafs.blocks.proto.BoardRow;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * How much of the network balancing may take, as an administrator has said to one of the NameNodes:
 * its state tells the others, as each speaks to its own DataNodes. {@link #say} is safe for use by
 * many threads; states are read and written by one.
 */
public final class BalancerBandwidth {
  private record Said(long count, long bytesPerSecond) {}

  private final LongConsumer tellDatanodes;
  private volatile Said said = new Said(0, 0);
  private final Map<Long, Long> heard = new HashMap<>();

  /**
   * @param tellDatanodes has all DataNodes told with their next heartbeats
   */
  public BalancerBandwidth(LongConsumer tellDatanodes) {
    this.tellDatanodes = tellDatanodes;
  }

  public synchronized void say(long bytesPerSecond) {
    tellDatanodes.accept(bytesPerSecond);
    said = new Said(said.count() + 1, bytesPerSecond);
  }

  void publish(BoardRow.Builder state) {
    Said last = said;
    state.setBalancerBandwidth(last.bytesPerSecond()).setBalancerBandwidthCount(last.count());
  }

  /** What was said before this NameNode came is not repeated to DataNodes that may have gone on. */
  void learn(long nameNode, BoardRow state) {
    Long last = heard.put(nameNode, state.getBalancerBandwidthCount());
    if (last != null && last < state.getBalancerBandwidthCount()) {
      tellDatanodes.accept(state.getBalancerBandwidth());
    }
  }
}
