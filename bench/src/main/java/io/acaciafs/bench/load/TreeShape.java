package io.acaciafs.bench.load;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Which directories and files there are, by number: directory 0 is the root, and each directory has
 * a smaller number than those in it; files are numbered in the order of their directories.
 */
public interface TreeShape {

  /**
   * One tree at the root; or several side by side, each in a directory of the root.
   *
   * @param files of each tree
   * @param directories of each of the first trees, or some few less; the others have as many as
   *     JindoFS's set would have
   */
  static TreeShape of(List<Long> files, List<Integer> directories) {
    List<TreeShape> trees = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      trees.add(
          i < directories.size()
              ? LevelTree.of(files.get(i), directories.get(i))
              : LevelTree.of(files.get(i)));
    }
    return trees.size() == 1 ? trees.get(0) : new Forest(trees);
  }

  /** How many there are with the root. */
  int directories();

  /** How many there are. */
  long files();

  /** The root is on level 0. */
  int levelOf(int directory);

  /** The directory above; not of the root. */
  int parentOf(int directory);

  /** How many directories lie in this one. */
  int childrenOf(int directory);

  /** One of {@link #childrenOf}, ascending. */
  int child(int directory, int index);

  /**
   * The first file in this directory or, where it has none, in a later one; behind the last
   * directory, how many files there are.
   */
  long firstFileOf(int directory);

  /** How many files lie in this directory. */
  default long filesOf(int directory) {
    return firstFileOf(directory + 1) - firstFileOf(directory);
  }

  /** Absolute. */
  default String pathOf(int directory) {
    if (directory == 0) {
      return "/";
    }
    int parent = parentOf(directory);
    return (parent == 0 ? "" : pathOf(parent))
        + "/"
        + new String(LoadedTree.directoryName(directory), StandardCharsets.US_ASCII);
  }
}
