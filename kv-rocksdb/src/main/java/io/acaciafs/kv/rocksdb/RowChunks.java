package io.acaciafs.kv.rocksdb;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Chunks that no scan uses now, since most scans are short. Safe for use by many threads. */
final class RowChunks {
  private static final int MOST_KEPT = 64;

  private final BlockingQueue<RowChunk> unused = new ArrayBlockingQueue<>(MOST_KEPT);

  RowChunk take() {
    RowChunk chunk = unused.poll();
    return chunk == null ? new RowChunk() : chunk;
  }

  /** The chunk shows nothing any more. */
  void giveBack(RowChunk chunk) {
    if (chunk.isWorthKeeping()) {
      unused.offer(chunk); // else there are enough
    }
  }
}
