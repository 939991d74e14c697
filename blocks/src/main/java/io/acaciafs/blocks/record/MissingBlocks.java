package io.acaciafs.blocks.record;

import io.acaciafs.blocks.proto.RepairQueue;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of files with a block that nobody can read.
 *
 * @param blocks in the order of their ids
 * @param cookie where the next page begins; as it was given where this one is empty
 */
public record MissingBlocks(List<Missing> blocks, String cookie) {

  /** A block of which there is no replica that can be read. */
  public record Missing(long blockId, long fileId) {}

  public static MissingBlocks read(Reader reader, @Nullable String cookie, int limit)
      throws IOException {
    KeyRange range = BlockKeys.repairsIn(RepairQueue.MISSING);
    if (cookie != null && !cookie.isEmpty()) {
      range = range.startingAfter(BlockKeys.repair(RepairQueue.MISSING, blockId(cookie)).bytes());
    }
    List<Missing> missing = new ArrayList<>();
    String next = cookie == null ? "" : cookie;
    try (Scan scan = reader.scan(range)) {
      while (missing.size() < limit && scan.hasNext()) {
        long blockId = BlockKeys.blockIdInRepair(scan.next().key());
        BlockRecord record = BlockRows.read(reader, blockId);
        if (record != null) {
          missing.add(new Missing(blockId, record.fileId()));
        }
        next = Long.toString(blockId);
      }
    }
    return new MissingBlocks(missing, next);
  }

  private static long blockId(String cookie) throws IOException {
    try {
      return Long.parseLong(cookie);
    } catch (NumberFormatException e) {
      throw new IOException("Not a cookie of listCorruptFileBlocks: " + cookie, e);
    }
  }
}
