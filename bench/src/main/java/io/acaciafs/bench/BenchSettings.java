package io.acaciafs.bench;

import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.sasl.Credentials;
import io.acaciafs.bench.workload.Sizes;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * How to benchmark.
 *
 * @param threads that make calls
 * @param seed chooses files
 * @param keep leaves what was made
 */
public record BenchSettings(
    Target target, Shape shape, int threads, Times times, Sizes sizes, long seed, boolean keep) {

  /**
   * What is measured.
   *
   * @param server a NameNode
   * @param pids its processes, for the CPU that they take; none when they are not on this machine
   * @param credentials of all clients
   * @param root folder of all that the benchmark makes
   * @param seenState what calls tell an observer that the client has seen; 0: nothing
   */
  public record Target(
      InetSocketAddress server,
      List<Long> pids,
      Credentials credentials,
      String root,
      long seenState) {

    public Target {
      pids = List.copyOf(pids);
    }

    /** As a client that knows of no observers. */
    public Target(InetSocketAddress server, List<Long> pids, Credentials credentials, String root) {
      this(server, pids, credentials, root, 0);
    }

    /** As the user of this process, by Hadoop's SIMPLE authentication. */
    public Target(InetSocketAddress server, List<Long> pids, String root) {
      this(server, pids, Credentials.named(System.getProperty("user.name")), root);
    }
  }

  /** How long an operation runs before it is measured, and while it is. */
  public record Times(Duration warmUp, Duration duration) {}
}
