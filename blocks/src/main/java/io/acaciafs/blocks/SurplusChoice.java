package io.acaciafs.blocks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which replicas go when there are too many: as many racks as possible are kept; among equals the
 * hinted one goes first, then one on a node that has long been silent, then the one on the fullest
 * disk. Source: HDFS 3.5's BlockPlacementPolicyDefault.chooseReplicasToDelete.
 */
final class SurplusChoice {
  private SurplusChoice() {}

  /**
   * @param live all replicas that count, on different nodes
   * @param keep how many are to stay
   * @param hint storage index; 0 for none
   * @param silentSinceMs a node not heard of since then is silent
   */
  static List<Storage> choose(Collection<Storage> live, int keep, int hint, long silentSinceMs) {
    List<Storage> left = new ArrayList<>(live);
    List<Storage> chosen = new ArrayList<>();
    Comparator<Storage> order =
        Comparator.<Storage, Boolean>comparing(storage -> storage.index() != hint)
            .thenComparing(storage -> storage.datanode().lastHeardMs() >= silentSinceMs)
            .thenComparing(Storage::writableBytes);
    while (left.size() > keep) {
      Map<String, Integer> perRack = new HashMap<>();
      left.forEach(storage -> perRack.merge(rack(storage), 1, Integer::sum));
      List<Storage> onSharedRacks =
          left.stream().filter(storage -> perRack.get(rack(storage)) > 1).toList();
      Storage next =
          (onSharedRacks.isEmpty() ? left : onSharedRacks).stream().min(order).orElseThrow();
      left.remove(next);
      chosen.add(next);
    }
    return chosen;
  }

  private static String rack(Storage storage) {
    return storage.datanode().networkLocation();
  }
}
