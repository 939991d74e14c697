package io.acaciafs.namespace.record;

import io.acaciafs.kv.value.Saturated;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file.
 *
 * @param blocks in the order of the file's bytes; unmodifiable
 * @param writer the holder of the lease while the file is under construction; null once it is
 *     closed
 */
public record FileInode(
    long id,
    Attributes attributes,
    short replication,
    long preferredBlockSizeBytes,
    List<FileBlock> blocks,
    @Nullable Writer writer)
    implements Inode {

  /** HDFS keeps a block size in 48 bits. */
  public static final long MAX_BLOCK_SIZE_BYTES = (1L << 48) - 1;

  /** HDFS keeps the number of replicas in 11 bits, regardless of dfs.replication.max. */
  public static final int MAX_REPLICATION = (1 << 11) - 1;

  /** The lease holder of a file under construction. */
  public record Writer(String clientName, String clientMachine) {}

  public FileInode {
    blocks = List.copyOf(blocks);
  }

  public boolean isUnderConstruction() {
    return writer != null;
  }

  /**
   * The writer of a file under construction.
   *
   * @throws NullPointerException when the file is closed
   */
  public Writer leaseHolder() {
    return Objects.requireNonNull(writer, "the file is under construction");
  }

  /** Sum of what is known of all blocks, the last one under construction included. */
  public long lengthBytes() {
    long length = 0;
    for (FileBlock block : blocks) {
      length = Saturated.add(length, block.lengthBytes());
    }
    return length;
  }

  /** A block, and where in the file it begins. */
  public record PlacedBlock(FileBlock block, long offsetBytes) {}

  /**
   * The blocks of a range, as HDFS returns them to a reader: from the block with its first byte to
   * the block with its last byte, and at least one. An empty block behind these is included if its
   * writer has flushed nothing. If a file's first block is empty, all blocks. None if the file ends
   * before the range.
   *
   * @param offsetBytes not negative
   * @param lengthBytes not negative; may reach beyond the end
   */
  public List<PlacedBlock> blocksIn(long offsetBytes, long lengthBytes) {
    List<PlacedBlock> found = new ArrayList<>();
    long endBytes = Saturated.add(offsetBytes, lengthBytes);
    long position = 0;
    boolean isFirstEmpty = !blocks.isEmpty() && blocks.get(0).lengthBytes() == 0;
    for (FileBlock block : blocks) {
      long next = Saturated.add(position, block.lengthBytes());
      if (!found.isEmpty() && position >= endBytes) {
        break;
      }
      if (!found.isEmpty() || isFirstEmpty || next > offsetBytes) {
        found.add(new PlacedBlock(block, position));
      }
      position = next;
    }
    return found;
  }

  /** Null where there is none. */
  public @Nullable FileBlock lastBlock() {
    return blocks.isEmpty() ? null : blocks.get(blocks.size() - 1);
  }

  /** The block before the last one; null where there is none. */
  public @Nullable FileBlock penultimateBlock() {
    return blocks.size() < 2 ? null : blocks.get(blocks.size() - 2);
  }

  @Override
  public FileInode with(Attributes newAttributes) {
    return new FileInode(id, newAttributes, replication, preferredBlockSizeBytes, blocks, writer);
  }

  public FileInode withReplication(short newReplication) {
    return new FileInode(id, attributes, newReplication, preferredBlockSizeBytes, blocks, writer);
  }

  public FileInode withBlocks(List<FileBlock> newBlocks) {
    return new FileInode(id, attributes, replication, preferredBlockSizeBytes, newBlocks, writer);
  }

  public FileInode withLastBlock(FileBlock block) {
    List<FileBlock> newBlocks = new ArrayList<>(blocks);
    newBlocks.set(newBlocks.size() - 1, block);
    return withBlocks(newBlocks);
  }

  public FileInode withAppendedBlock(FileBlock block) {
    List<FileBlock> newBlocks = new ArrayList<>(blocks);
    newBlocks.add(block);
    return withBlocks(newBlocks);
  }

  public FileInode withoutLastBlock() {
    return withBlocks(blocks.subList(0, blocks.size() - 1));
  }

  public FileInode withWriter(Writer newWriter) {
    return new FileInode(id, attributes, replication, preferredBlockSizeBytes, blocks, newWriter);
  }

  public FileInode closed(long modificationTimeMs) {
    return new FileInode(
        id,
        attributes.withModificationTimeMs(modificationTimeMs),
        replication,
        preferredBlockSizeBytes,
        blocks,
        null);
  }
}
