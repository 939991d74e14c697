package io.acaciafs.blocks.peers;

import io.acaciafs.blocks.proto.BoardRow;
import io.acaciafs.blocks.proto.HeardDatanode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What another NameNode has let the others know, as it was read last. Times are the reader's.
 * Immutable.
 *
 * @param count grows each time it is written
 * @param writtenAfterMs a time at which it was certainly not written yet
 * @param madeAfterMs a time at which it was certainly not made up yet: a NameNode makes up the next
 *     one when the last is written
 * @param readMs when it was first read
 * @param parts in their order, the first one with what is not about a single DataNode
 */
record PeerState(
    long count,
    long writtenAfterMs,
    long madeAfterMs,
    long readMs,
    List<BoardRow> parts,
    Map<String, HeardDatanode> heard) {

  private static final long UNKNOWN = Long.MIN_VALUE;

  /**
   * @param last what was read of it before; null: nothing
   * @param beganMs when the reading began
   */
  static PeerState of(
      List<BoardRow> parts, @Nullable PeerState last, long lastBeganMs, long beganMs) {
    long count = parts.get(0).getCount();
    if (last != null && last.count() == count) {
      return last;
    }
    Map<String, HeardDatanode> heard = new HashMap<>();
    parts.forEach(part -> part.getHeardList().forEach(node -> heard.put(node.getUuid(), node)));
    long writtenAfterMs = last == null ? UNKNOWN : lastBeganMs;
    long madeAfterMs =
        last != null && last.count() == count - 1 ? last.writtenAfterMs() : writtenAfterMs;
    return new PeerState(count, writtenAfterMs, madeAfterMs, beganMs, List.copyOf(parts), heard);
  }

  /** When its NameNode heard a DataNode last, as late as that may be; long ago if it does not. */
  long heardMs(String datanodeUuid) {
    HeardDatanode node = heard.get(datanodeUuid);
    return node == null ? Long.MIN_VALUE / 2 : readMs - node.getSilentMs();
  }

  /** Before this time all reports of the DataNode are stored; long ago where that is not known. */
  long storedBeforeMs(HeardDatanode node) {
    return node.getStoredBeforeMs() == 0 || madeAfterMs == UNKNOWN
        ? UNKNOWN
        : madeAfterMs - node.getStoredBeforeMs();
  }

  /** It acts on the rows of DataNodes as they were at this count of changes. */
  long seenChanges() {
    return parts.get(0).getSeenChanges();
  }
}
