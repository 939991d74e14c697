package io.acaciafs.model;

/**
 * What DataNodes cost the servers of one engine, as {@code bench/datanodes} measured it. CPU is
 * that of NameNodes and region servers together.
 *
 * @param incrementalReplicaCpuUs for a replica that is reported as received or deleted
 * @param fullReportReplicaCpuUs for a replica in a full report; on HBase the reports were so short
 *     that each block was read nearly alone
 * @param source which measurement it is from
 */
public record DataNodeCosts(
    double heartbeatCpuUs,
    double incrementalReplicaCpuUs,
    double fullReportReplicaCpuUs,
    double heapBytesPerDataNode,
    double heapBytesPerStorage,
    String source) {}
