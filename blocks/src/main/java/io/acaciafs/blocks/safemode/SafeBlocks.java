package io.acaciafs.blocks.safemode;

import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * How many blocks there are, and how many of them a client could read now.
 *
 * @param safe blocks with enough replicas on DataNodes that were heard of since this process began
 * @param total committed blocks
 */
record SafeBlocks(long safe, long total) {

  /**
   * Looks at all blocks: takes long where there are many, so do not call it on a network thread.
   */
  static SafeBlocks count(Reader reader, DatanodeRegistry registry, int safeReplication) {
    long safe = 0;
    long total = 0;
    try (Scan scan = reader.scan(BlockKeys.blocks())) {
      while (scan.hasNext()) {
        BlockRecord record = BlockRecord.decode(scan.next().value());
        if (record.isCommitted()) {
          total++;
          long back =
              record.storages().stream().filter(index -> isBack(registry.storage(index))).count();
          safe += back >= Math.max(1, safeReplication) ? 1 : 0;
        }
      }
    }
    return new SafeBlocks(safe, total);
  }

  private static boolean isBack(@Nullable Storage storage) {
    return storage != null
        && storage.datanode().hasHeartbeat()
        && !storage.isLost()
        && !storage.isFailed();
  }

  long needed(float threshold) {
    return (long) (total * threshold);
  }
}
