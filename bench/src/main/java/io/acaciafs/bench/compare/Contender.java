package io.acaciafs.bench.compare;

import io.acaciafs.bench.workload.Replicas;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One side of a comparison: servers that are up. */
public interface Contender extends AutoCloseable {
  /** Where clients are served at the moment. */
  InetSocketAddress address() throws IOException;

  /** The processes whose CPU an operation costs. */
  List<Long> pids();

  /** Hold a block of each file to read; null: those are empty. */
  @Nullable Replicas replicas();

  @Override
  void close() throws IOException;
}
