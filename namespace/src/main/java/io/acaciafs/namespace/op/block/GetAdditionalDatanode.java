package io.acaciafs.namespace.op.block;

import io.acaciafs.namespace.context.FileBlocks;
import io.acaciafs.namespace.op.common.Files;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.run.NamespaceOperation;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Finds further DataNodes for the pipeline of a block that is being written. Changes nothing.
 *
 * @param fileId 0 from clients that know none
 * @param existing what stays of the pipeline
 * @param excluded DataNodes that the client does not want
 * @param additional how many more it wants
 */
public record GetAdditionalDatanode(
    String path,
    long fileId,
    String clientName,
    Block block,
    Pipeline existing,
    List<DatanodeInfo> excluded,
    int additional)
    implements NamespaceOperation<LocatedBlock> {

  /** The DataNodes of a pipeline, and the storage that each uses. */
  public record Pipeline(List<DatanodeInfo> nodes, List<String> storageIds) {}

  @Override
  public LocatedBlock run(Tree tree) throws IOException {
    ResolvedPath resolved = tree.resolve(path, fileId);
    FileInode file = Files.requireLease(tree, resolved, fileId, clientName);
    checkStorageIds(tree);
    return tree.blocks()
        .additionalTargets(
            new FileBlocks.NewBlock(
                new FileBlocks.OfFile(
                    resolved.toString(),
                    file.id(),
                    (short) additional,
                    file.preferredBlockSizeBytes(),
                    resolved.storagePolicyId()),
                FileBlock.of(block),
                0,
                file.leaseHolder().clientMachine(),
                new FileBlocks.Wishes(excluded, List.of(), EnumSet.noneOf(AddBlockFlag.class))),
            existing.nodes,
            existing.storageIds);
  }

  private void checkStorageIds(Tree tree) {
    int nodes = existing.nodes.size();
    int storages = existing.storageIds.size();
    if (nodes == storages) {
      return;
    }
    throw new HadoopIllegalArgumentException(
        (storages == 0
                ? "Missing storageIDs: It is likely that the HDFS client, who made this call, is"
                    + " running in an older version of Hadoop(pre-2.0.0-alpha)  which does not"
                    + " support storageIDs."
                : "Length mismatched: storageIDs.length=" + storages + " != ")
            + " datanodeID.length="
            + nodes
            + ", src="
            + path
            + ", fileId="
            + fileId
            + ", blk="
            + WrittenBlock.named(tree, block)
            + ", clientName="
            + clientName
            + ", clientMachine="
            + tree.caller().clientMachine());
  }
}
