package io.acaciafs.namespace.op.file;

import io.acaciafs.namespace.context.FileBlocks.BlockStatus;
import io.acaciafs.namespace.op.common.Files;
import io.acaciafs.namespace.op.lease.LeaseTakeover;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.run.AtMostOnce;
import io.acaciafs.namespace.tree.InodeStatus;
import io.acaciafs.namespace.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.BlockUCState;
import org.jspecify.annotations.Nullable;

/**
 * Opens a closed file to be written at its end. A last block that is not full is written on; else
 * the client asks for a new one.
 *
 * @param clientName the holder of the lease from now on
 * @param newBlock the last block stays as it is, full or not
 */
public record AppendFile(String path, String clientName, boolean newBlock)
    implements AtMostOnce<AppendFile.Appended> {

  /**
   * @param reopened the last block, if it is written on; else null
   * @param previous the last block, if the client asked for a new one behind it; else null
   */
  public record Appended(
      @Nullable LocatedBlock reopened, @Nullable FileBlock previous, InodeStatus status) {}

  /**
   * @throws FileAlreadyExistsException for a directory
   * @throws FileNotFoundException when there is nothing
   * @throws org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException when somebody writes it
   * @throws org.apache.hadoop.hdfs.protocol.RecoveryInProgressException when its writer has gone
   *     and it cannot be closed yet
   * @throws UnsupportedOperationException when it is kept in memory (LAZY_PERSIST)
   * @throws IOException when the last block has too few replicas on DataNodes that live
   */
  @Override
  public @Nullable Appended run(Tree tree) throws IOException {
    ResolvedPath resolved = tree.resolve(path, PathUse.WRITE);
    if (resolved.exists() && resolved.existing().isDirectory()) {
      throw new FileAlreadyExistsException(
          "Cannot append to directory " + resolved + "; already exists as a directory.");
    }
    tree.permissions().checkInode(resolved, FsAction.WRITE);
    if (!(resolved.inode() instanceof FileInode file)) {
      throw new FileNotFoundException(
          "Failed to append to non-existent file "
              + resolved
              + " for client "
              + tree.caller().clientMachine());
    }
    Files.refuseLazyPersist(resolved, "append to");
    if (file.isUnderConstruction()) {
      file = LeaseTakeover.take(tree, resolved, file, "APPEND_FILE", clientName);
      if (file == null) {
        return null;
      }
    }
    return open(tree, resolved, file);
  }

  private Appended open(Tree tree, ResolvedPath resolved, FileInode file) throws IOException {
    FileBlock last = file.lastBlock();
    if (last != null && !tree.blocks().isSufficientlyReplicated(tree.transaction(), last.id())) {
      throw new IOException(
          "append: lastBlock="
              + last.toBlock()
              + " of src="
              + resolved
              + " is not sufficiently replicated yet.");
    }
    LocatedBlock reopened = null;
    if (!newBlock && last != null && last.lengthBytes() != file.preferredBlockSizeBytes()) {
      reopened = tree.blocks().reopen(tree.transaction(), last, offsetOfLast(file, last));
    }
    FileInode opened =
        file.withWriter(new FileInode.Writer(clientName, tree.caller().clientMachine()));
    tree.update(resolved, opened);
    tree.rememberOpenFile(file.id(), clientName);
    tree.renewBeforeCommit(clientName);
    return new Appended(reopened, newBlock ? last : null, tree.status(resolved, opened));
  }

  @Override
  public @Nullable Long answer(@Nullable Appended result) {
    return result == null ? null : (Long) result.status().inode().id();
  }

  @Override
  public Appended repeat(Tree tree, long answer) throws IOException {
    ResolvedPath appended = tree.resolve(answer);
    if (appended == null) {
      throw new FileNotFoundException(
          "File does not exist: " + path + ", it was deleted meanwhile");
    }
    FileInode file = Files.requireLease(tree, appended, answer, clientName);
    FileBlock last = file.lastBlock();
    LocatedBlock reopened =
        last != null && isWritten(tree, last)
            ? tree.blocks()
                .locateUnderConstruction(
                    tree.transaction().unguarded(), last, offsetOfLast(file, last))
            : null;
    return new Appended(reopened, newBlock ? last : null, tree.status(appended, file));
  }

  private static boolean isWritten(Tree tree, FileBlock block) {
    BlockStatus status = tree.blocks().status(tree.transaction(), block.id());
    return Objects.requireNonNull(status, "a file's block is there").state()
        == BlockUCState.UNDER_CONSTRUCTION;
  }

  private static long offsetOfLast(FileInode file, FileBlock last) {
    return file.lengthBytes() - last.lengthBytes();
  }
}
