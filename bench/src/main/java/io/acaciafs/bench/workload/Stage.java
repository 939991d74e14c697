package io.acaciafs.bench.workload;

/**
 * A part of a benchmark.
 *
 * @param name for people, and for the results
 * @param endless whether it goes on until it is stopped
 */
public record Stage(String name, boolean endless, Sources sources) {

  static Stage endless(String name, Sources sources) {
    return new Stage(name, true, sources);
  }

  static Stage whole(String name, Sources sources) {
    return new Stage(name, false, sources);
  }
}
