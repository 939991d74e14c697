package io.acaciafs.bench.load;

/**
 * Which directories and files there are, by number: directory 0 is the root, then come those of
 * level 1, and so on; files are numbered in the order of their directories. Immutable.
 *
 * <p>Levels 1 to 4 are small and have no files; the others lie on levels 5, 6 and 7 (30, 40 and 30
 * of a hundred) and share the files evenly. Source: JindoFS's set, where 1.47 of a hundred inodes
 * are directories, most of them on these levels.
 */
final class TreeShape {
  private static final double DIRECTORY_SHARE = 0.0147;
  private static final int[] UPPER_LEVELS = {4, 16, 64, 256};
  private static final int[] LOWER_PERCENTS = {30, 40, 30};
  private static final int FIRST_LEVEL_WITH_FILES = UPPER_LEVELS.length + 1;

  private final long files;

  /**
   * The number of the first directory of each level, and behind the last one how many there are.
   */
  private final int[] firstOfLevel;

  TreeShape(long files) {
    this.files = files;
    long wanted = Math.round(files * DIRECTORY_SHARE / (1 - DIRECTORY_SHARE));
    firstOfLevel = new int[1 + UPPER_LEVELS.length + LOWER_PERCENTS.length + 1];
    int next = 1;
    int level = 1;
    for (int count : UPPER_LEVELS) {
      firstOfLevel[level++] = next;
      next += count;
    }
    long lower = Math.max(LOWER_PERCENTS.length * 10L, wanted - next + 1);
    for (int percent : LOWER_PERCENTS) {
      firstOfLevel[level++] = next;
      next = Math.addExact(next, Math.toIntExact(lower * percent / 100));
    }
    firstOfLevel[level] = next;
  }

  /** How many there are with the root. */
  int directories() {
    return firstOfLevel[firstOfLevel.length - 1];
  }

  long files() {
    return files;
  }

  /** From this one on every directory has files, as long as there are enough. */
  int firstWithFiles() {
    return firstOfLevel[FIRST_LEVEL_WITH_FILES];
  }

  /** The root is on level 0. */
  int levelOf(int directory) {
    int level = 0;
    while (directory >= firstOfLevel[level + 1]) {
      level++;
    }
    return level;
  }

  /** The directory above; not of the root. */
  int parentOf(int directory) {
    int level = levelOf(directory);
    int above = firstOfLevel[level] - firstOfLevel[level - 1];
    return firstOfLevel[level - 1] + (directory - firstOfLevel[level]) % above;
  }

  /** How many directories lie in this one. */
  int childrenOf(int directory) {
    int level = levelOf(directory);
    if (level + 1 == firstOfLevel.length - 1) {
      return 0;
    }
    int own = firstOfLevel[level + 1] - firstOfLevel[level];
    int below = firstOfLevel[level + 2] - firstOfLevel[level + 1];
    int position = directory - firstOfLevel[level];
    return position >= below ? 0 : (below - position - 1) / own + 1;
  }

  /** One of {@link #childrenOf}, ascending. */
  int child(int directory, int index) {
    int level = levelOf(directory);
    int own = firstOfLevel[level + 1] - firstOfLevel[level];
    return firstOfLevel[level + 1] + directory - firstOfLevel[level] + index * own;
  }

  /** The first file in this directory or, where it has none, in a later one. */
  long firstFileOf(int directory) {
    int first = firstWithFiles();
    long position = Math.max(0, directory - first);
    long with = directories() - first;
    return position * (files / with) + Math.min(position, files % with);
  }

  /** How many files lie in this directory. */
  long filesOf(int directory) {
    return firstFileOf(directory + 1) - firstFileOf(directory);
  }
}
