package io.acaciafs.bench.compare;

import java.util.List;
import java.util.Locale;

/**
 * A command of Hadoop's shell that goes through many directories.
 *
 * @param arguments of {@code hdfs dfs}
 */
record Walk(String name, List<String> arguments) {

  /** Files and directories of all that is below a path. */
  static Walk count(String path) {
    return new Walk("-count", List.of("-count", path));
  }

  /** Bytes of all that is below a path. */
  static Walk sum(String path) {
    return new Walk("-du -s", List.of("-du", "-s", path));
  }

  /** A line for all that is below a path. */
  static Walk list(String name, String path) {
    return new Walk(name, List.of("-ls", "-R", path));
  }

  /**
   * A tree, and the walks through it.
   *
   * @param directories below its root, or some few less
   */
  record Tree(long files, int directories, List<Walk> walks) {

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%,d files in %,d directories", files, directories);
    }
  }
}
