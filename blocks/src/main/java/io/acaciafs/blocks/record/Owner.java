package io.acaciafs.blocks.record;

import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.blocks.proto.OwnerRow;
import io.acaciafs.kv.StoreException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which NameNode commands a DataNode, as it is stored. Immutable.
 *
 * @param nameNode its number; 0: nobody commands it
 * @param epoch told to the DataNode; higher ones win
 * @param listeners NameNodes, by number, that may have answered for reports which they have not
 *     stored, since they hear the DataNode and do not own it
 */
public record Owner(long nameNode, long epoch, List<Long> listeners) {
  public Owner {
    listeners = List.copyOf(listeners);
  }

  /** Nobody, behind this. */
  public Owner released() {
    return new Owner(0, epoch, listeners);
  }

  /** The next one, behind this. */
  public Owner followedBy(long next) {
    return new Owner(next, epoch + 1, listeners);
  }

  public Owner withListener(long listener) {
    List<Long> all = new ArrayList<>(listeners);
    all.add(listener);
    return new Owner(nameNode, epoch, all);
  }

  /** Only these listeners are left. */
  public Owner withListenersAmong(Collection<Long> some) {
    return new Owner(nameNode, epoch, listeners.stream().filter(some::contains).toList());
  }

  public byte[] encode() {
    return OwnerRow.newBuilder()
        .setNameNode(nameNode)
        .setEpoch(epoch)
        .addAllListeners(listeners)
        .build()
        .toByteArray();
  }

  /** Null where there is no row. */
  public static @Nullable Owner decode(byte @Nullable [] row) {
    return row == null ? null : decodeRow(row);
  }

  /** The same of a row that is there. */
  public static Owner decodeRow(byte[] row) {
    try {
      OwnerRow owner = OwnerRow.parseFrom(row);
      return new Owner(owner.getNameNode(), owner.getEpoch(), owner.getListenersList());
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("Not a row of a DataNode's owner", e);
    }
  }
}
