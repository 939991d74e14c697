package io.acaciafs.namespace.op.lease;

import io.acaciafs.namespace.context.FileBlocks;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.RecoveryInProgressException;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.BlockUCState;
import org.jspecify.annotations.Nullable;

/** What happens when one client wants a file that another one is writing. */
public final class LeaseTakeover {
  private LeaseTakeover() {}

  /**
   * The file without its writer, if he has been silent for the soft limit.
   *
   * @param operation as HDFS names it in the refusal
   * @return the file closed, which the caller writes; null when its last block has to be recovered
   *     first: that has begun, and the operation is refused with {@link
   *     RecoveryInProgressException} once it is durable
   * @throws AlreadyBeingCreatedException when the writer is alive, or is the same client
   * @throws RecoveryInProgressException when somebody else has begun the recovery
   */
  public static @Nullable FileInode take(
      Tree tree, ResolvedPath path, FileInode file, String operation, String clientName)
      throws IOException {
    FileInode.Writer writer = file.leaseHolder();
    String refusal = refusal(tree, path, operation, clientName);
    if (writer.clientName().equals(clientName)) {
      throw new AlreadyBeingCreatedException(
          refusal + clientName + " is already the current lease holder.");
    }
    if (!tree.leases().isSoftLimitExpired(writer.clientName())) {
      String holder = writer.clientName() + " on " + writer.clientMachine();
      if (isUnderRecovery(tree, file)) {
        throw new RecoveryInProgressException(
            refusal + "another recovery is in progress by " + holder);
      }
      throw new AlreadyBeingCreatedException(
          refusal + "this file lease is currently owned by " + holder);
    }
    FileInode closed = LeaseRecovery.closed(tree, file);
    if (closed == null) {
      LeaseRecovery.begin(tree, path, file, writer.clientName());
      tree.renewAfterCommit(writer.clientName()); // as in HDFS: he may be on his way back
      tree.refuseAfterCommit(
          new RecoveryInProgressException(
              refusal + "lease recovery is in progress. Try again later."));
    }
    return closed;
  }

  public static String refusal(Tree tree, ResolvedPath path, String operation, String clientName) {
    return "Failed to "
        + operation
        + " "
        + path
        + " for "
        + clientName
        + " on "
        + tree.caller().clientMachine()
        + " because ";
  }

  private static boolean isUnderRecovery(Tree tree, FileInode file) {
    FileBlock last = file.lastBlock();
    FileBlocks.BlockStatus status =
        last == null ? null : tree.blocks().status(tree.transaction(), last.id());
    return status != null && status.state() == BlockUCState.UNDER_RECOVERY;
  }
}
