package io.acaciafs.kv.raft.log;

import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/** Puts batches together that came in several entries. Used by one thread. */
public final class BatchPieces {
  private final ByteArrayOutputStream pieces = new ByteArrayOutputStream();

  /** The batch that ends with an entry; null where there is more of it to come. */
  public byte @Nullable [] add(RaftEntry entry) {
    if (entry.piece() == 0) {
      pieces.reset();
    }
    byte[] bytes = new byte[entry.bytes().remaining()];
    entry.bytes().get(bytes);
    if (entry.piece() == 0 && entry.isLast()) {
      return bytes;
    }
    pieces.writeBytes(bytes);
    if (!entry.isLast()) {
      return null;
    }
    byte[] batch = pieces.toByteArray();
    pieces.reset();
    return batch;
  }

  /** What comes begins with a new batch. */
  public void clear() {
    pieces.reset();
  }
}
