package io.acaciafs.bench.workload;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.ExtendedBlockProto;
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

  /**
   * Has each of the DataNodes report the block that is among its locations.
   *
   * @param byUuid the DataNodes; others report nothing
   * @param receive has one of them report it, as {@link #report} says
   */
  static <T> CompletableFuture<Void> reportBy(
      LocatedBlockProto located,
      long lengthBytes,
      Map<String, T> byUuid,
      BiFunction<T, Block, CompletableFuture<Void>> receive) {
    ExtendedBlockProto b = located.getB();
    Block block = new Block(b.getBlockId(), lengthBytes, b.getGenerationStamp());
    return CompletableFuture.allOf(
        located.getLocsList().stream()
            .map(location -> byUuid.get(location.getId().getDatanodeUuid()))
            .filter(Objects::nonNull)
            .map(datanode -> receive.apply(datanode, block))
            .toArray(CompletableFuture<?>[]::new));
  }
}
