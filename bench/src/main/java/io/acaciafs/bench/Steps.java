package io.acaciafs.bench;

import io.acaciafs.bench.client.Watcher;

/** Is told what a benchmark does, step by step. */
@FunctionalInterface
public interface Steps {

  /** A step begins; who returned is told of its progress. */
  Watcher begin(String name);

  /** Nobody listens. */
  static Steps silent() {
    return name -> (fraction, operationsPerSecond) -> {};
  }
}
