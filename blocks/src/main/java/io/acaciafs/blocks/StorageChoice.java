package io.acaciafs.blocks;

import java.util.List;
import java.util.random.RandomGenerator;
import org.apache.hadoop.fs.StorageType;

/**
 * Chooses the storage of a node that a new replica goes to: a disk where one has room, else another
 * lasting type; by chance, weighted by free space, as many blocks are placed between two
 * heartbeats.
 */
final class StorageChoice {
  private static final List<StorageType> TYPES =
      List.of(StorageType.DISK, StorageType.SSD, StorageType.ARCHIVE);

  private StorageChoice() {}

  /**
   * @return null where no storage has room
   */
  static Storage choose(Datanode node, long blockSizeBytes, RandomGenerator random) {
    for (StorageType type : TYPES) {
      List<Storage> fitting =
          node.storages().stream()
              .filter(storage -> storage.description().getStorageType() == type)
              .filter(storage -> storage.writableBytes() >= Math.max(1, blockSizeBytes))
              .toList();
      if (!fitting.isEmpty()) {
        return fitting.size() == 1 ? fitting.get(0) : weighted(fitting, random);
      }
    }
    return null;
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
