package io.acaciafs.blocks.safemode;

import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.RedundancyCounters;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Transaction;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Blocks that came from another NameNode, without a word of where their replicas are: only the
 * DataNodes know. They stand in the queue of missing blocks until one is reported; until most are,
 * the NameNode stays in safe mode. One row says how many there were; it goes when that is over.
 * Another one keeps the other NameNode's generation stamp, for one that may take the blocks back.
 * Stateless.
 */
public final class Adoption {
  private Adoption() {}

  public static void begin(Transaction tx, long blocks) {
    if (blocks > 0) {
      tx.put(BlockKeys.adoption(), bytes(blocks));
    }
  }

  private static byte[] bytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  private static long number(byte @Nullable [] row) {
    return row == null ? 0 : ByteBuffer.wrap(row).getLong();
  }

  public static void putGenerationStamp(Transaction tx, long stamp) {
    tx.put(BlockKeys.adoptedGenerationStamp(), bytes(stamp));
  }

  /** 0 where no blocks came from another NameNode. */
  public static long generationStamp(Reader reader) {
    return number(reader.get(BlockKeys.adoptedGenerationStamp()));
  }

  /** How many blocks are awaited; 0 where none are. */
  static long blocks(Reader reader) {
    return number(reader.get(BlockKeys.adoption()));
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
