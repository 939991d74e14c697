package io.acaciafs.blocks;

import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Transaction;
import java.nio.ByteBuffer;

/**
 * Blocks that came from another NameNode, without a word of where their replicas are: only the
 * DataNodes know. They stand in the queue of missing blocks until one is reported; until most are,
 * the NameNode stays in safe mode. One row says how many there were; it goes when that is over.
 * Stateless.
 */
final class Adoption {
  private Adoption() {}

  static void begin(Transaction tx, long blocks) {
    if (blocks > 0) {
      tx.put(BlockKeys.adoption(), ByteBuffer.allocate(Long.BYTES).putLong(blocks).array());
    }
  }

  /** How many blocks are awaited; 0 where none are. */
  static long blocks(Reader reader) {
    byte[] row = reader.peek(BlockKeys.adoption());
    return row == null ? 0 : ByteBuffer.wrap(row).getLong();
  }

  static void end(Transaction tx) {
    tx.delete(BlockKeys.adoption());
  }

  /** How many of so many awaited blocks have a replica that can be read. */
  static SafeBlocks count(Reader reader, long awaited) {
    long missing = Math.min(awaited, RedundancyCounters.read(reader).missing());
    return new SafeBlocks(awaited - Math.max(0, missing), awaited);
  }
}
