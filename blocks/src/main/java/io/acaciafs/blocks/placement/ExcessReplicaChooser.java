package io.acaciafs.blocks.placement;

import io.acaciafs.blocks.datanode.Storage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.StorageType;

/**
 * Which replicas go when there are too many: as many racks as possible are kept, and the types of
 * storage that the file's policy asks for; among equals the hinted one goes first, then one on a
 * node that has long been silent, then the one on the fullest disk. Source: HDFS 3.5's
 * BlockPlacementPolicyDefault.chooseReplicasToDelete.
 */
public final class ExcessReplicaChooser {
  private ExcessReplicaChooser() {}

  /**
   * @param spread what is to be kept
   * @param live all replicas that count, on different nodes
   * @param keep how many are to stay
   * @param excess types of storage that replicas may be taken from, one each
   * @param hint storage index; 0 for none
   * @param silentSinceMs a node not heard of since then is silent
   */
  public static List<Storage> choose(
      PlacementPolicy spread,
      Collection<Storage> live,
      int keep,
      List<StorageType> excess,
      int hint,
      long silentSinceMs) {
    List<Storage> left = new ArrayList<>(live);
    List<Storage> chosen = new ArrayList<>();
    List<StorageType> types = new ArrayList<>(excess);
    Comparator<Storage> order =
        Comparator.<Storage, Boolean>comparing(storage -> storage.index() != hint)
            .thenComparing(storage -> storage.datanode().lastHeardMs() >= silentSinceMs)
            .thenComparing(Storage::writableBytes);
    while (left.size() > keep) {
      Optional<Storage> next =
          spread.sparable(left).stream()
              .filter(storage -> types.contains(storage.type()))
              .min(order);
      if (next.isEmpty()) {
        break; // as HDFS, rather keep one too many
      }
      left.remove(next.get());
      types.remove(next.get().type());
      chosen.add(next.get());
    }
    return chosen;
  }
}
