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
 * @param block id and generation stamp, chosen by the caller
 * @param offset of the block in its file, bytes
 * @param clientHost IP address of the writer; null where it is not known
 */
public record BlockRequest(
    File file, Block block, long offset, @Nullable String clientHost, Wishes wishes) {

  /**
   * The file of the block.
   *
   * @param path for error texts
   * @param blockSizeBytes room that each chosen storage must have
   * @param storagePolicyId HDFS's id of a storage policy; 0: the default
   */
  public record File(
      String path, long id, short replication, long blockSizeBytes, byte storagePolicyId) {}

  /**
   * What the writer wishes.
   *
   * @param excludedDatanodeUuids DataNodes that the writer found not to work
   * @param favoredNodes {@code host:port} or {@code host} of DataNodes that the writer prefers
   */
  public record Wishes(
      Set<String> excludedDatanodeUuids, List<String> favoredNodes, EnumSet<AddBlockFlag> flags) {

    public Wishes {
      excludedDatanodeUuids =
          excludedDatanodeUuids == null ? Set.of() : Set.copyOf(excludedDatanodeUuids);
      favoredNodes = favoredNodes == null ? List.of() : List.copyOf(favoredNodes);
      flags =
          flags == null || flags.isEmpty()
              ? EnumSet.noneOf(AddBlockFlag.class)
              : EnumSet.copyOf(flags);
    }
  }

  public BlockRequest excluding(Set<String> datanodeUuids) {
    Wishes more = new Wishes(datanodeUuids, wishes.favoredNodes, wishes.flags);
    return new BlockRequest(file, block, offset, clientHost, more);
  }
}
