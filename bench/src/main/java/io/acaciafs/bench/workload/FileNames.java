package io.acaciafs.bench.workload;

import io.acaciafs.bench.client.PathBuffer;
import org.jspecify.annotations.Nullable;

/** Names one file after the other. */
@FunctionalInterface
interface FileNames {

  /** Writes the path of the file of this number; null when there is none. */
  @Nullable PathBuffer of(PathBuffer path, int number);
}
