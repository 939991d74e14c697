package io.acaciafs.blocks.placement;

import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.Storage;
import java.util.List;
import java.util.random.RandomGenerator;
import org.apache.hadoop.fs.StorageType;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the storage of a node that a new replica goes to, among those of one type with room: by
 * chance, weighted by free space, as many blocks are placed between two heartbeats.
 */
final class StorageChoice {
  private StorageChoice() {}

  /**
   * @return null where no storage has room
   */
  static @Nullable Storage choose(
      Datanode node, StorageType type, long blockSizeBytes, RandomGenerator random) {
    List<Storage> fitting =
        node.storages().stream()
            .filter(storage -> storage.type() == type)
            .filter(storage -> storage.writableBytes() >= Math.max(1, blockSizeBytes))
            .toList();
    return switch (fitting.size()) {
      case 0 -> null;
      case 1 -> fitting.get(0);
      default -> weighted(fitting, random);
    };
  }

  private static Storage weighted(List<Storage> fitting, RandomGenerator random) {
    double total = fitting.stream().mapToDouble(Storage::writableBytes).sum();
    double drawn = random.nextDouble() * total;
    for (Storage storage : fitting) {
      drawn -= storage.writableBytes();
      if (drawn < 0) {
        return storage;
      }
    }
    return fitting.get(fitting.size() - 1);
  }
}
