package io.acaciafs.bench.scale;

import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.workload.Operation;
import io.acaciafs.bench.workload.Sizes;
import io.acaciafs.bench.workload.Workloads;
import java.time.Duration;
import java.util.List;

/**
 * What is measured.
 *
 * @param name of the benchmark
 */
public record ScalePlan(String name, Site site, Load load, Times times, Rounds rounds) {

  /**
   * The servers.
   *
   * @param servers how many pairs of a region server and a NameNode are used, in this order
   * @param nameNodes how many there are at most; one alone gets no limit, so that the region
   *     servers are what is measured
   * @param percentOfCore what each pair may use of a processor
   * @param layout of row keys: spread or locality
   */
  public record Site(List<Integer> servers, int nameNodes, int percentOfCore, String layout) {}

  /**
   * What the clients do.
   *
   * @param operations in this order at each number of servers
   * @param shape clients of each server, and calls in flight of each
   */
  public record Load(List<Operation> operations, Shape shape, Sizes sizes) {}

  /**
   * How long.
   *
   * @param unlimited the JVMs are warmed up before they are limited, each operation
   * @param warmUp before each measurement
   * @param duration of each measurement
   */
  public record Times(Duration unlimited, Duration warmUp, Duration duration) {}

  /**
   * How often each operation is measured at each number of servers; the median counts.
   *
   * @param ofReads the same of what only reads where numbers of servers take turns
   */
  public record Rounds(int count, int ofReads) {}

  public ScalePlan {
    if (site.servers.isEmpty()
        || site.nameNodes < 1
        || site.percentOfCore < 1
        || rounds.count < 1
        || rounds.ofReads < 1) {
      throw new IllegalArgumentException("Nothing to measure");
    }
  }

  /** The largest number of servers. */
  int most() {
    return site.servers.stream().mapToInt(Integer::intValue).max().orElseThrow();
  }

  /**
   * How many servers are measured when the table is cut for so many. One pair is measured beside
   * more, in turn with them, as the speed of the machine changes from minute to minute.
   */
  List<Integer> measuredAt(int cutFor) {
    if (!hasOneInTurn()) {
      return List.of(cutFor);
    }
    return cutFor == 1 ? List.of() : List.of(1, cutFor);
  }

  /** Whether one pair is measured in turn with each other number. */
  boolean hasOneInTurn() {
    return isNameNodeLimited() && site.servers.contains(1) && most() > 1;
  }

  /** Whether files to read are needed. */
  boolean reads() {
    return load.operations.stream().anyMatch(Workloads::reads);
  }

  /** Whether anything is read in turn, and in other rounds than all else. */
  boolean hasRoundsOfReads() {
    return reads() && rounds.ofReads != rounds.count && hasOneInTurn();
  }

  /** How often an operation is measured on numbers of servers that are measured in turn. */
  int rounds(Operation operation, List<Integer> inTurn) {
    return inTurn.size() > 1 && Workloads.reads(operation) ? rounds.ofReads : rounds.count;
  }

  /** How many NameNodes serve when so many pairs do. */
  int nameNodesOf(int pairs) {
    return Math.min(pairs, site.nameNodes);
  }

  boolean isNameNodeLimited() {
    return site.nameNodes >= most();
  }
}
