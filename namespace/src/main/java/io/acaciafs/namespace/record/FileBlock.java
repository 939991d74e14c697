package io.acaciafs.namespace.record;

import org.apache.hadoop.hdfs.protocol.Block;
import org.jspecify.annotations.Nullable;

/**
 * A block of a file as the file knows it.
 *
 * @param lengthBytes final once the block is committed; before that what the writer has reported
 */
public record FileBlock(long id, long generationStamp, long lengthBytes) {

  public static FileBlock of(Block block) {
    return new FileBlock(block.getBlockId(), block.getGenerationStamp(), block.getNumBytes());
  }

  public FileBlock withLengthBytes(long newLengthBytes) {
    return new FileBlock(id, generationStamp, newLengthBytes);
  }

  public Block toBlock() {
    return new Block(id, lengthBytes, generationStamp);
  }

  /** Whether the client speaks of this block; a null of either side matches only a null. */
  public static boolean isSame(@Nullable FileBlock block, @Nullable Block named) {
    return block == null
        ? named == null
        : named != null
            && block.id == named.getBlockId()
            && block.generationStamp == named.getGenerationStamp();
  }
}
