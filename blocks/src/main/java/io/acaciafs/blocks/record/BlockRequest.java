package io.acaciafs.blocks.record;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.Block;
import org.jspecify.annotations.Nullable;

/**
 * What a new block asks of placement.
 *
 * @param path for error texts
 * @param block id and generation stamp, chosen by the caller
 * @param blockSizeBytes room that each chosen storage must have
 * @param offset of the block in its file, bytes
 * @param clientHost IP address of the writer; null where it is not known
 * @param excludedDatanodeUuids DataNodes that the writer found not to work
 * @param favoredNodes {@code host:port} or {@code host} of DataNodes that the writer prefers
 * @param storagePolicyId HDFS's id of a storage policy; 0: the default
 */
public record BlockRequest(
    String path,
    long fileId,
    Block block,
    short replication,
    long blockSizeBytes,
    long offset,
    @Nullable String clientHost,
    Set<String> excludedDatanodeUuids,
    List<String> favoredNodes,
    EnumSet<AddBlockFlag> flags,
    byte storagePolicyId) {

  public BlockRequest {
    excludedDatanodeUuids =
        excludedDatanodeUuids == null ? Set.of() : Set.copyOf(excludedDatanodeUuids);
    favoredNodes = favoredNodes == null ? List.of() : List.copyOf(favoredNodes);
    flags =
        flags == null || flags.isEmpty()
            ? EnumSet.noneOf(AddBlockFlag.class)
            : EnumSet.copyOf(flags);
  }

  public BlockRequest excluding(Set<String> datanodeUuids) {
    return new BlockRequest(
        path,
        fileId,
        block,
        replication,
        blockSizeBytes,
        offset,
        clientHost,
        datanodeUuids,
        favoredNodes,
        flags,
        storagePolicyId);
  }
}
