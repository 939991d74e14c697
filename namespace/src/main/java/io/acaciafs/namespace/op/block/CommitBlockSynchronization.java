package io.acaciafs.namespace.op.block;

import io.acaciafs.namespace.context.FileBlocks.BlockStatus;
import io.acaciafs.namespace.op.common.FileSizes;
import io.acaciafs.namespace.op.common.Files;
import io.acaciafs.namespace.op.lease.LeaseRecovery;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.run.NamespaceOperation;
import io.acaciafs.namespace.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.BlockUCState;
import org.jspecify.annotations.Nullable;

/**
 * A DataNode has recovered the last block of a file: the file takes over stamp and length, and is
 * closed. Where what a truncate keeps was to be copied to another block, that one takes the place
 * of the last. May be repeated; but after such a copy the block that it names is no more, so that a
 * repetition fails with "not found", which the DataNode writes to its log and which changes
 * nothing.
 *
 * @param newGenerationStamp names the attempt; only the last one counts
 * @param deletesBlock no DataNode had any of it
 * @param nodes the DataNodes that hold it now
 * @param storageIds one for each node
 */
public record CommitBlockSynchronization(
    Block block,
    long newGenerationStamp,
    long newLengthBytes,
    boolean closesFile,
    boolean deletesBlock,
    List<DatanodeID> nodes,
    List<String> storageIds)
    implements NamespaceOperation<Void> {

  /**
   * @throws FileNotFoundException when the file was deleted
   * @throws IOException when the block is not there, or another attempt has begun
   */
  @Override
  public Void run(Tree tree) throws IOException {
    BlockStatus status = tree.blocks().status(tree.transaction(), block.getBlockId());
    if (status == null) {
      if (deletesBlock) {
        return null;
      }
      throw new IOException("Block (=" + block + ") not found");
    }
    ResolvedPath path = tree.resolve(status.fileId());
    if (path == null || !(path.inode() instanceof FileInode file)) {
      throw new FileNotFoundException(
          "File not found: inode " + status.fileId() + ", it was deleted");
    }
    if (!file.isUnderConstruction() || status.state() == BlockUCState.COMPLETE) {
      return null;
    }
    FileBlock last = file.lastBlock();
    if (last == null
        || last.id() != block.getBlockId()
        || status.recoveryId() != newGenerationStamp) {
      throw new IOException(
          "The recovery id "
              + newGenerationStamp
              + " does not match current recovery id "
              + status.recoveryId()
              + " for block "
              + block);
    }
    long id = status.copyId() == 0 ? last.id() : status.copyId();
    FileInode recovered = recover(tree, path, file, id);
    if (recovered != null) {
      Files.close(tree, path, recovered);
    }
    return null;
  }

  /**
   * The file as it is to be closed; null when that is not yet possible or not wanted.
   *
   * @param id of the block that is to be its last
   */
  private @Nullable FileInode recover(Tree tree, ResolvedPath path, FileInode file, long id)
      throws IOException {
    FileBlock last = Objects.requireNonNull(file.lastBlock(), "the file has blocks");
    FileInode recovered;
    boolean canClose = closesFile;
    if (deletesBlock) {
      tree.blocks().remove(tree.transaction(), List.of(last));
      recovered = file.withoutLastBlock();
    } else {
      FileBlock synced =
          new FileBlock(id, newGenerationStamp, FileSizes.blockLength(newLengthBytes));
      canClose &= tree.blocks().recovered(tree.transaction(), last.id(), synced, nodes, storageIds);
      recovered = file.withLastBlock(synced);
    }
    FileBlock penultimate = file.penultimateBlock();
    canClose &=
        penultimate == null || tree.blocks().isComplete(tree.transaction(), penultimate.id());
    if (canClose) {
      return recovered;
    }
    if (closesFile) {
      recovered =
          recovered.withWriter(
              new FileInode.Writer(
                  LeaseRecovery.NAMENODE_HOLDER, file.leaseHolder().clientMachine()));
      tree.rememberRecovery(file.id(), LeaseRecovery.NAMENODE_HOLDER);
    }
    tree.update(path, recovered);
    return null;
  }
}
