package io.acaciafs.bench;

import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.workload.Sizes;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * How to benchmark.
 *
 * @param server a NameNode
 * @param serverPid its process, for the CPU that it takes; empty when it is not on this machine
 * @param user by Hadoop's SIMPLE authentication
 * @param root folder of all that the benchmark makes
 * @param threads that make calls
 * @param seed chooses files
 * @param keep leaves what was made
 */
public record BenchSettings(
    InetSocketAddress server,
    OptionalLong serverPid,
    String user,
    String root,
    Shape shape,
    int threads,
    Duration warmUp,
    Duration duration,
    Sizes sizes,
    long seed,
    boolean keep) {

  /** The same with other clients and times. */
  public BenchSettings with(Shape newShape, Duration newWarmUp, Duration newDuration) {
    return new BenchSettings(
        server,
        serverPid,
        user,
        root,
        newShape,
        threads,
        newWarmUp,
        newDuration,
        sizes,
        seed,
        keep);
  }
}
