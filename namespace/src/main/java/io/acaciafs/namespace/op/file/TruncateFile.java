package io.acaciafs.namespace.op.file;

import io.acaciafs.namespace.context.FileBlocks.BlockStatus;
import io.acaciafs.namespace.op.common.Files;
import io.acaciafs.namespace.op.lease.LeaseTakeover;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.run.AtMostOnce;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.BlockUCState;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a file to a shorter length. True when it has that length. False when the cut goes through a
 * block: the file keeps the rest of that block, and stays open, until the DataNodes have cut their
 * replicas, or during a rolling upgrade copied the rest to another block, which takes the place of
 * that one in the file. Another call to the same length meanwhile gets the same answer. (HDFS lets
 * a repetition after a lost reply cut again what was appended in between, HDFS-16322.)
 *
 * @param clientName the holder of the lease while replicas are cut
 */
public record TruncateFile(String path, long newLengthBytes, String clientName)
    implements AtMostOnce.Verdict {
  private static final String OPERATION = "TRUNCATE_FILE";

  /**
   * @throws java.io.FileNotFoundException when there is no file
   * @throws UnsupportedOperationException when it is kept in memory (LAZY_PERSIST)
   * @throws HadoopIllegalArgumentException when the file is shorter, or the length negative
   * @throws AlreadyBeingCreatedException when somebody writes it, or it is being cut elsewhere
   * @throws org.apache.hadoop.hdfs.protocol.RecoveryInProgressException when its writer has gone
   *     and it cannot be closed yet
   */
  @Override
  public @Nullable Boolean run(Tree tree) throws IOException {
    if (newLengthBytes < 0) {
      throw new HadoopIllegalArgumentException(
          "Cannot truncate to a negative file size: " + newLengthBytes + ".");
    }
    ResolvedPath resolved = tree.resolve(path, PathUse.WRITE);
    tree.permissions().checkInode(resolved, FsAction.WRITE);
    FileInode file = Files.require(resolved);
    Files.refuseLazyPersist(resolved, "truncate");
    if (!file.isUnderConstruction()) {
      return truncate(tree, resolved, file);
    }
    if (isBeingTruncated(tree, file)) {
      if (cutLengthBytes(tree, file) == newLengthBytes) {
        return false;
      }
      throw new AlreadyBeingCreatedException(
          LeaseTakeover.refusal(tree, resolved, OPERATION, clientName)
              + resolved
              + " is being truncated.");
    }
    FileInode closed = LeaseTakeover.take(tree, resolved, file, OPERATION, clientName);
    if (closed == null) {
      return null;
    }
    if (closed.lengthBytes() == newLengthBytes) {
      Files.close(tree, resolved, closed);
      return true;
    }
    return truncate(tree, resolved, closed);
  }

  private static boolean isBeingTruncated(Tree tree, FileInode file) {
    FileBlock last = file.lastBlock();
    BlockStatus status = last == null ? null : tree.blocks().status(tree.transaction(), last.id());
    return status != null
        && status.state() == BlockUCState.UNDER_RECOVERY
        && status.truncateToBytes() > 0;
  }

  /** What a file will have when its last block is cut. */
  private static long cutLengthBytes(Tree tree, FileInode file) {
    FileBlock last = Objects.requireNonNull(file.lastBlock(), "the file has blocks");
    BlockStatus status =
        Objects.requireNonNull(
            tree.blocks().status(tree.transaction(), last.id()), "a file's block is there");
    return file.withoutLastBlock().lengthBytes() + status.truncateToBytes();
  }

  private boolean truncate(Tree tree, ResolvedPath resolved, FileInode file) throws IOException {
    long lengthBytes = file.lengthBytes();
    if (lengthBytes == newLengthBytes) {
      return true;
    }
    if (lengthBytes < newLengthBytes) {
      throw new HadoopIllegalArgumentException(
          "Cannot truncate to a larger file size. Current size: "
              + lengthBytes
              + ", truncate size: "
              + newLengthBytes
              + ".");
    }
    List<FileBlock> kept = new ArrayList<>();
    long keptBytes = 0;
    for (FileBlock block : file.blocks()) {
      if (keptBytes >= newLengthBytes) {
        break;
      }
      kept.add(block);
      keptBytes += block.lengthBytes();
    }
    List<FileBlock> removed = file.blocks().subList(kept.size(), file.blocks().size());
    if (!removed.isEmpty()) {
      tree.blocks().remove(tree.transaction(), removed);
    }
    if (keptBytes == newLengthBytes) {
      Files.close(tree, resolved, file.withBlocks(kept));
      return true;
    }
    cutLast(tree, resolved, file.withBlocks(kept), keptBytes - newLengthBytes);
    return false;
  }

  private void cutLast(Tree tree, ResolvedPath resolved, FileInode file, long surplusBytes)
      throws IOException {
    FileBlock last = Objects.requireNonNull(file.lastBlock(), "the file has blocks");
    tree.blocks()
        .recover(
            tree.transaction(), last.id(), last.lengthBytes() - surplusBytes, tree::nextBlockId);
    tree.update(
        resolved,
        file.closed(tree.nowMs())
            .withWriter(new FileInode.Writer(clientName, tree.caller().clientMachine())));
    tree.rememberRecovery(file.id(), clientName);
    tree.renewBeforeCommit(clientName);
  }
}
