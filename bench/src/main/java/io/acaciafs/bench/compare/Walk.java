package io.acaciafs.bench.compare;

import java.util.List;
import java.util.Locale;

/**
 * A command of Hadoop's shell that goes through many directories.
 *
 * @param arguments of {@code hdfs dfs}
 */
record Walk(String name, List<String> arguments) {

  /**
   * A tree, and the walks through it.
   *
   * @param directories below the root, or some few less
   */
  record Tree(long files, int directories, List<Walk> walks) {

    /** Many directories on many levels. */
    static Tree deep(long files, int directories) {
      return new Tree(
          files,
          directories,
          List.of(
              new Walk("-count /", List.of("-count", "/")),
              new Walk("-du -s /", List.of("-du", "-s", "/")),
              new Walk("-ls -R of a quarter", List.of("-ls", "-R", "/d00000001"))));
    }

    /** Few and large directories. */
    static Tree wide(long files, int directories) {
      return new Tree(
          files,
          directories,
          List.of(
              new Walk("-count /", List.of("-count", "/")),
              new Walk("-ls -R /", List.of("-ls", "-R", "/"))));
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%,d files in %,d directories", files, directories);
    }
  }
}
