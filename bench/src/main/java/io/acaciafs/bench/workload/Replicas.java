package io.acaciafs.bench.workload;

import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;

/** DataNodes that say that they hold a block, without one byte of it. Any thread. */
@FunctionalInterface
public interface Replicas {

  /**
   * Reports replicas of the block where the NameNode wants them.
   *
   * @return completed when the NameNode has been told
   */
  CompletableFuture<Void> report(LocatedBlockProto block, long lengthBytes);
}
