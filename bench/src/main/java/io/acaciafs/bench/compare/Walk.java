package io.acaciafs.bench.compare;

import java.util.List;

/**
 * A command of Hadoop's shell that goes through many directories.
 *
 * @param arguments of {@code hdfs dfs}
 */
record Walk(String name, List<String> arguments) {
  static final List<Walk> ALL =
      List.of(
          new Walk("-count /", List.of("-count", "/")),
          new Walk("-du -s /", List.of("-du", "-s", "/")),
          new Walk("-ls -R of a quarter", List.of("-ls", "-R", "/d00000001")));
}
