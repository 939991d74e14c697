package io.acaciafs.namenode;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.kv.Store;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.rpc.RpcCall;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/**
 * Where the bytes of a file are: its blocks from the namespace, their replicas from the block rows,
 * nearest to the reader first.
 */
final class BlockLocations {
  private final BlockManager blocks;
  private final Store store;

  BlockLocations(BlockManager blocks, Store store) {
    this.blocks = blocks;
    this.store = store;
  }

  /** All blocks of an inode; null for a directory. */
  LocatedBlocks of(RpcCall call, Inode inode) {
    return inode instanceof FileInode file ? of(call, file, 0, Long.MAX_VALUE) : null;
  }

  /**
   * The blocks that overlap a range of the file.
   *
   * @param offsetBytes not negative
   * @param lengthBytes not negative; may reach beyond the end
   */
  LocatedBlocks of(RpcCall call, FileInode file, long offsetBytes, long lengthBytes) {
    FileBlock last = file.lastBlock();
    if (last == null) {
      return new LocatedBlocks(0, file.isUnderConstruction(), List.of(), null, false, null, null);
    }
    boolean lastComplete =
        !file.isUnderConstruction() || blocks.isMinimallyReplicated(store.begin(), last.id());
    long completeLength = file.lengthBytes() - (lastComplete ? 0 : last.lengthBytes());
    long lastOffset = file.lengthBytes() - last.lengthBytes();
    LocatedBlock locatedLast = locate(last, lastOffset, !lastComplete);
    List<LocatedBlock> located = new ArrayList<>();
    long endBytes =
        lengthBytes > Long.MAX_VALUE - offsetBytes ? Long.MAX_VALUE : offsetBytes + lengthBytes;
    long position = 0;
    for (FileBlock block : file.blocks()) {
      if (position >= endBytes) {
        break;
      }
      if (position + block.lengthBytes() > offsetBytes) {
        located.add(block == last ? locatedLast : locate(block, position, false));
      }
      position += block.lengthBytes();
    }
    String reader = Callers.clientMachine(call);
    blocks.sortForReader(reader, located);
    if (located.isEmpty() || located.get(located.size() - 1) != locatedLast) {
      blocks.sortForReader(reader, List.of(locatedLast));
    }
    return new LocatedBlocks(
        completeLength, file.isUnderConstruction(), located, locatedLast, lastComplete, null, null);
  }

  private LocatedBlock locate(FileBlock block, long offsetBytes, boolean underConstruction) {
    return blocks.locate(store, block.toBlock(), offsetBytes, underConstruction);
  }
}
