package io.acaciafs.namenode.webhdfs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.web.resources.BlockSizeParam;
import org.apache.hadoop.hdfs.web.resources.OffsetParam;
import org.apache.hadoop.hdfs.web.resources.Param;
import org.apache.hadoop.util.StringUtils;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the DataNode for one client's request: one that has the bytes, the nearest first; or one
 * to which new bytes would go.
 *
 * <p>Source of the rules: HDFS 3.5's NamenodeWebHdfsMethods.chooseDatanode.
 */
final class RedirectTarget {
  private final WebHdfsServices services;
  private final ClientProtocol client;
  private final String clientHost;

  RedirectTarget(WebHdfsServices services, ClientProtocol client, String clientHost) {
    this.services = services;
    this.client = client;
    this.clientHost = clientHost;
  }

  /**
   * @param excludedNames with commas between them; null where there are none
   * @throws IOException where there is no such file, the client may not see it, or no DataNode can
   *     be found
   */
  DatanodeInfo choose(
      RedirectedOp op, String path, Param<?, ?>[] params, @Nullable String excludedNames)
      throws IOException {
    Set<String> excluded =
        services.gateways().uuidsOf(StringUtils.getTrimmedStringCollection(excludedNames));
    if (op.reads()) {
      HdfsFileStatus status = client.getFileInfo(path);
      if (status == null) {
        throw new FileNotFoundException("File " + path + " not found.");
      }
      long lengthBytes = status.getLen();
      long offsetBytes = lengthBytes - 1;
      if (op == RedirectedOp.OPEN) {
        offsetBytes = offset(params);
        if (offsetBytes < 0 || offsetBytes >= lengthBytes && lengthBytes > 0) {
          throw new IOException(
              "Offset="
                  + offsetBytes
                  + " out of the range [0, "
                  + lengthBytes
                  + "); "
                  + op
                  + ", path="
                  + path);
        }
      }
      if (lengthBytes > 0) {
        return nearest(path, offsetBytes, excluded);
      }
    }
    DatanodeInfo any =
        services.gateways().choose(path, clientHost, excluded, blockSizeBytes(op, params));
    if (any == null) {
      throw new IOException(
          "Failed to find datanode, suggest to check cluster health. excludeDatanodes="
              + excludedNames);
    }
    return any;
  }

  private DatanodeInfo nearest(String path, long offsetBytes, Set<String> excluded)
      throws IOException {
    LocatedBlocks located = client.getBlockLocations(path, offsetBytes, 1);
    if (located == null || located.locatedBlockCount() == 0) {
      throw new IOException("Block could not be located. Path=" + path + ", offset=" + offsetBytes);
    }
    for (DatanodeInfo node : located.get(0).getLocations()) {
      if (!node.isDecommissioned() && !excluded.contains(node.getDatanodeUuid())) {
        return node;
      }
    }
    throw new IOException("No active and not excluded nodes contain this block");
  }

  private static long offset(Param<?, ?>[] params) {
    for (Param<?, ?> param : params) {
      if (param instanceof OffsetParam offset) {
        return offset.getOffset();
      }
    }
    return 0;
  }

  /** What is read or appended to needs no room for a block, as in HDFS. */
  private long blockSizeBytes(RedirectedOp op, Param<?, ?>[] params) {
    for (Param<?, ?> param : params) {
      if (op == RedirectedOp.CREATE && param instanceof BlockSizeParam size) {
        return size.getValue(services.conf());
      }
    }
    return 0;
  }
}
