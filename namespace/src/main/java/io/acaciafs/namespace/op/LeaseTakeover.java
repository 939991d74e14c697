package io.acaciafs.namespace.op;

import io.acaciafs.namespace.ResolvedPath;
import io.acaciafs.namespace.Tree;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.RecoveryInProgressException;

/** What happens when one client wants a file that another one is writing. */
final class LeaseTakeover {
  private LeaseTakeover() {}

  /**
   * Closes the file when its writer has been silent for the soft limit and its data is whole.
   *
   * @param operation as HDFS names it in the refusal
   * @throws AlreadyBeingCreatedException when the writer is alive, or is the same client
   * @throws RecoveryInProgressException when the last block has to be recovered first
   */
  static void release(
      Tree tree, ResolvedPath path, FileInode file, String operation, String clientName)
      throws IOException {
    FileInode.Writer writer = file.writer();
    String refusal =
        "Failed to "
            + operation
            + " "
            + path
            + " for "
            + clientName
            + " on "
            + tree.caller().clientMachine()
            + " because ";
    if (writer.clientName().equals(clientName)) {
      throw new AlreadyBeingCreatedException(
          refusal + clientName + " is already the current lease holder.");
    }
    if (!tree.leases().isSoftLimitExpired(writer.clientName())) {
      throw new AlreadyBeingCreatedException(
          refusal
              + "this file lease is currently owned by "
              + writer.clientName()
              + " on "
              + writer.clientMachine());
    }
    if (!canClose(tree, file)) {
      throw new RecoveryInProgressException(
          refusal + "lease recovery is in progress. Try again later.");
    }
    Files.close(tree, path, file);
  }

  /** Whether all blocks are complete, so that the file can be closed as it is. */
  static boolean canClose(Tree tree, FileInode file) {
    FileBlock last = file.lastBlock();
    FileBlock penultimate = file.penultimateBlock();
    return (last == null || tree.blocks().isComplete(tree.transaction(), last.id()))
        && (penultimate == null || tree.blocks().isComplete(tree.transaction(), penultimate.id()));
  }
}
