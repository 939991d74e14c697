package io.acaciafs.bench.load;

import java.util.List;

/**
 * Trees side by side, whose roots are directories of the root: first all directories of the first
 * tree, then all of the second one, and so on. Immutable.
 */
final class Forest implements TreeShape {
  private final List<TreeShape> trees;

  /** The number of each tree's root, and behind the last one how many directories there are. */
  private final int[] rootOf;

  /** The number of each tree's first file, and behind the last one how many files there are. */
  private final long[] firstFileOf;

  Forest(List<TreeShape> trees) {
    this.trees = List.copyOf(trees);
    rootOf = new int[trees.size() + 1];
    firstFileOf = new long[trees.size() + 1];
    rootOf[0] = 1;
    for (int i = 0; i < trees.size(); i++) {
      rootOf[i + 1] = Math.addExact(rootOf[i], trees.get(i).directories());
      firstFileOf[i + 1] = firstFileOf[i] + trees.get(i).files();
    }
  }

  /** Not of the root. */
  private int treeOf(int directory) {
    int tree = trees.size() - 1;
    while (directory < rootOf[tree]) {
      tree--;
    }
    return tree;
  }

  @Override
  public int directories() {
    return rootOf[trees.size()];
  }

  @Override
  public long files() {
    return firstFileOf[trees.size()];
  }

  @Override
  public int levelOf(int directory) {
    if (directory == 0) {
      return 0;
    }
    int tree = treeOf(directory);
    return 1 + trees.get(tree).levelOf(directory - rootOf[tree]);
  }

  @Override
  public int parentOf(int directory) {
    int tree = treeOf(directory);
    int root = rootOf[tree];
    return directory == root ? 0 : root + trees.get(tree).parentOf(directory - root);
  }

  @Override
  public int childrenOf(int directory) {
    if (directory == 0) {
      return trees.size();
    }
    int tree = treeOf(directory);
    return trees.get(tree).childrenOf(directory - rootOf[tree]);
  }

  @Override
  public int child(int directory, int index) {
    if (directory == 0) {
      return rootOf[index];
    }
    int tree = treeOf(directory);
    return rootOf[tree] + trees.get(tree).child(directory - rootOf[tree], index);
  }

  @Override
  public long firstFileOf(int directory) {
    if (directory == 0) {
      return 0;
    }
    int tree = treeOf(directory);
    return firstFileOf[tree] + trees.get(tree).firstFileOf(directory - rootOf[tree]);
  }
}
