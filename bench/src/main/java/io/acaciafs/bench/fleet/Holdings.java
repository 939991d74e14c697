package io.acaciafs.bench.fleet;

import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.Block;

/** Which replicas simulated DataNodes have from the start. Called by the threads of the fleet. */
@FunctionalInterface
public interface Holdings {
  /** They have none. */
  Holdings NONE = datanode -> Stream.empty();

  /**
   * The finalized replicas of one.
   *
   * @param datanode from 0
   */
  Stream<Block> of(int datanode);
}
