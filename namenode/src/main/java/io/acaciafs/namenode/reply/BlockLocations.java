package io.acaciafs.namenode.reply;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.kv.Reader;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.rpc.protocol.RpcCall;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.jspecify.annotations.Nullable;

/**
 * Where the bytes of a file are: its blocks from the namespace, their replicas from the block rows,
 * nearest to the reader first.
 */
public final class BlockLocations {
  private final BlockManager blocks;

  public BlockLocations(BlockManager blocks) {
    this.blocks = blocks;
  }

  /** Of a reply that says where blocks are. */
  public NodeBasis basis() {
    return NodeBasis.of(blocks);
  }

  /** All blocks of an inode; null for a directory. */
  public @Nullable LocatedBlocks of(RpcCall call, Reader reader, Inode inode) {
    return inode instanceof FileInode file ? of(call, reader, file, 0, Long.MAX_VALUE) : null;
  }

  /**
   * The blocks that overlap a range of the file.
   *
   * @param reader what says where the replicas are
   * @param offsetBytes not negative
   * @param lengthBytes not negative; may reach beyond the end
   */
  public LocatedBlocks of(
      RpcCall call, Reader reader, FileInode file, long offsetBytes, long lengthBytes) {
    FileBlock last = file.lastBlock();
    if (last == null) {
      return new LocatedBlocks(0, file.isUnderConstruction(), List.of(), null, false, null, null);
    }
    boolean lastComplete = !file.isUnderConstruction() || blocks.isComplete(reader, last.id());
    long completeLength = file.lengthBytes() - (lastComplete ? 0 : last.lengthBytes());
    long lastOffset = file.lengthBytes() - last.lengthBytes();
    LocatedBlock locatedLast = locate(reader, last, lastOffset, !lastComplete);
    List<LocatedBlock> located = new ArrayList<>();
    for (FileInode.PlacedBlock placed : file.blocksIn(offsetBytes, lengthBytes)) {
      FileBlock block = placed.block();
      located.add(block == last ? locatedLast : locate(reader, block, placed.offsetBytes(), false));
    }
    String clientMachine = Callers.clientMachine(call);
    blocks.sortForReader(clientMachine, located);
    if (located.isEmpty() || located.get(located.size() - 1) != locatedLast) {
      blocks.sortForReader(clientMachine, List.of(locatedLast));
    }
    return new LocatedBlocks(
        completeLength, file.isUnderConstruction(), located, locatedLast, lastComplete, null, null);
  }

  private LocatedBlock locate(
      Reader reader, FileBlock block, long offsetBytes, boolean underConstruction) {
    return blocks.locate(reader, block.toBlock(), offsetBytes, underConstruction);
  }
}
