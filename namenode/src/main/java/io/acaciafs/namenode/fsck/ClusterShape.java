package io.acaciafs.namenode.fsck;

import io.acaciafs.blocks.BlockManager;
import java.util.Arrays;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/** How many DataNodes are alive, on how many racks, as a check begins. */
record ClusterShape(int liveNodes, int racks) {
  static ClusterShape of(BlockManager blocks) {
    DatanodeInfo[] live = blocks.datanodeReport(DatanodeReportType.LIVE);
    return new ClusterShape(
        live.length,
        (int) Arrays.stream(live).map(DatanodeInfo::getNetworkLocation).distinct().count());
  }
}
