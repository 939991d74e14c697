package io.acaciafs.blocks.peers;

import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.blocks.datanode.NodeChanges;
import io.acaciafs.blocks.proto.BoardRow;
import io.acaciafs.blocks.proto.HeardDatanode;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The rows in which each NameNode lets the others know what it knows. Used by one thread. */
public final class PeerStates {
  private static final int NODES_A_ROW = 500;

  private Map<Long, PeerState> states = Map.of();
  private long lastBeganMs = Long.MIN_VALUE;
  private int writtenParts;

  /** All of them, as last read. */
  Map<Long, PeerState> all() {
    return states;
  }

  /**
   * Reads them, and with them the count of changes to the rows of DataNodes, at the same moment.
   *
   * @return that count
   */
  long read(Reader reader, long nowMs) {
    Map<Long, List<BoardRow>> rows = new TreeMap<>();
    byte[] changes = null;
    try (Scan scan = reader.scan(BlockKeys.peerStatesAndChanges())) {
      while (scan.hasNext()) {
        Row row = scan.next();
        if (BlockKeys.isChanges(row.key())) {
          changes = row.value();
          continue;
        }
        List<BoardRow> parts =
            rows.computeIfAbsent(BlockKeys.nameNodeInPeerState(row.key()), id -> new ArrayList<>());
        if (BlockKeys.partInPeerState(row.key()) == parts.size()) { // else it is being written anew
          parts.add(decode(row.value()));
        }
      }
    }
    Map<Long, PeerState> read = new HashMap<>();
    rows.forEach(
        (nameNode, parts) -> {
          boolean isWhole =
              !parts.isEmpty()
                  && parts.stream().allMatch(part -> part.getCount() == parts.get(0).getCount());
          PeerState last = states.get(nameNode);
          PeerState now = isWhole ? PeerState.of(parts, last, lastBeganMs, nowMs) : last;
          if (now != null) {
            read.put(nameNode, now);
          }
        });
    states = read;
    lastBeganMs = nowMs;
    return NodeChanges.decode(changes);
  }

  public static BoardRow decode(byte[] row) {
    try {
      return BoardRow.parseFrom(row);
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not a row of a NameNode's state", e);
    }
  }

  /** How many rows {@link #write} will have written, once that is durable. */
  void written(int parts) {
    writtenParts = parts;
  }

  /** So many rows it takes. */
  static int parts(List<HeardDatanode> heard) {
    return Math.max(1, (heard.size() + NODES_A_ROW - 1) / NODES_A_ROW);
  }

  /**
   * Writes the state of a NameNode in the place of its last one.
   *
   * @param first all but DataNodes
   */
  void write(Transaction tx, long nameNode, BoardRow first, List<HeardDatanode> heard) {
    int parts = parts(heard);
    for (int part = 0; part < parts; part++) {
      BoardRow row =
          (part == 0 ? first.toBuilder() : BoardRow.newBuilder().setCount(first.getCount()))
              .addAllHeard(
                  heard.subList(
                      part * NODES_A_ROW, Math.min(heard.size(), (part + 1) * NODES_A_ROW)))
              .build();
      replace(tx, BlockKeys.peerState(nameNode, part), row.toByteArray());
    }
    for (int part = parts; part < writtenParts; part++) {
      replace(tx, BlockKeys.peerState(nameNode, part), null);
    }
  }

  /** Removes the state of a NameNode that is dead. */
  void remove(Transaction tx, long nameNode) {
    int parts = Objects.requireNonNull(states.get(nameNode), "it was read").parts().size();
    for (int part = 0; part < parts; part++) {
      replace(tx, BlockKeys.peerState(nameNode, part), null);
    }
  }

  /** Nobody else writes it, so what is remembered of it is true, most likely. */
  private static void replace(Transaction tx, Key key, byte @Nullable [] value) {
    tx.remoteReads().recall(key);
    if (value == null) {
      tx.delete(key);
    } else {
      tx.put(key, value);
    }
  }
}
