package io.acaciafs.bench.load;

import java.util.stream.IntStream;

/**
 * Which directories and files there are, by number: directory 0 is the root, then come those of
 * level 1, and so on; files are numbered in the order of their directories. Immutable.
 *
 * <p>Levels 1 to 4 are small and have no files; the others lie on levels 5, 6 and 7 (30, 40 and 30
 * of a hundred) and share the files evenly. Source: JindoFS's set, where 1.47 of a hundred inodes
 * are directories, most of them on these levels. Where there are too few directories for that, all
 * lie on level 1.
 */
public final class TreeShape {
  private static final double DIRECTORY_SHARE = 0.0147;
  private static final int[] UPPER_LEVELS = {4, 16, 64, 256};
  private static final int UPPER_DIRECTORIES = IntStream.of(UPPER_LEVELS).sum();
  private static final int[] LOWER_PERCENTS = {30, 40, 30};
  private static final int LEAST_LOWER = LOWER_PERCENTS.length * 10;

  private final long files;

  /**
   * The number of the first directory of each level, and behind the last one how many there are.
   */
  private final int[] firstOfLevel;

  private final int firstLevelWithFiles;

  private TreeShape(long files, int firstLevelWithFiles, int[] levels) {
    this.files = files;
    this.firstLevelWithFiles = firstLevelWithFiles;
    firstOfLevel = new int[levels.length + 2];
    firstOfLevel[1] = 1;
    for (int i = 0; i < levels.length; i++) {
      firstOfLevel[i + 2] = Math.addExact(firstOfLevel[i + 1], levels[i]);
    }
  }

  /** With as many directories as JindoFS's set would have. */
  public static TreeShape of(long files) {
    long directories = Math.round(files * DIRECTORY_SHARE / (1 - DIRECTORY_SHARE));
    return of(files, Math.max(UPPER_DIRECTORIES + LEAST_LOWER, Math.toIntExact(directories)));
  }

  /**
   * With so many directories below the root, or some few less.
   *
   * @param directories at least one
   */
  public static TreeShape of(long files, int directories) {
    long lower = directories - UPPER_DIRECTORIES;
    if (lower < LEAST_LOWER) {
      return new TreeShape(files, 1, new int[] {directories});
    }
    IntStream below = IntStream.of(LOWER_PERCENTS).map(percent -> (int) (lower * percent / 100));
    return new TreeShape(
        files,
        UPPER_LEVELS.length + 1,
        IntStream.concat(IntStream.of(UPPER_LEVELS), below).toArray());
  }

  /** How many there are with the root. */
  public int directories() {
    return firstOfLevel[firstOfLevel.length - 1];
  }

  long files() {
    return files;
  }

  /** From this one on every directory has files, as long as there are enough. */
  int firstWithFiles() {
    return firstOfLevel[firstLevelWithFiles];
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
