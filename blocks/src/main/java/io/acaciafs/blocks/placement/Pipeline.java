package io.acaciafs.blocks.placement;

import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.Storage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Orders targets so that the data takes short hops: from the writer always on to the nearest. */
final class Pipeline {
  private Pipeline() {}

  /**
   * @param writer null where the writer is on no DataNode: then the first target stays the first
   */
  static List<Storage> order(List<Storage> targets, @Nullable Datanode writer) {
    List<Storage> left = new ArrayList<>(targets);
    List<Storage> ordered = new ArrayList<>(targets.size());
    if (left.isEmpty()) {
      return ordered;
    }
    Datanode from = writer == null ? left.get(0).datanode() : writer;
    while (!left.isEmpty()) {
      Datanode last = from;
      Storage next =
          left.stream()
              .min(
                  Comparator.comparingInt(
                      storage -> NetworkDistance.between(last, storage.datanode())))
              .orElseThrow();
      left.remove(next);
      ordered.add(next);
      from = next.datanode();
    }
    return ordered;
  }
}
