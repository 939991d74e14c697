package io.acaciafs.bench.load;

import java.util.stream.IntStream;

/**
 * A tree whose directories are numbered level by level. Immutable.
 *
 * <p>Levels 1 to 4 are small and have no files; the others lie on levels 5, 6 and 7 (30, 40 and 30
 * of a hundred) and share the files evenly. Source: JindoFS's set, where 1.47 of a hundred inodes
 * are directories, most of them on these levels. Where there are too few directories for that, all
 * lie on level 1.
 */
final class LevelTree implements TreeShape {
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

  private LevelTree(long files, int firstLevelWithFiles, int[] levels) {
    this.files = files;
    this.firstLevelWithFiles = firstLevelWithFiles;
    firstOfLevel = new int[levels.length + 2];
    firstOfLevel[1] = 1;
    for (int i = 0; i < levels.length; i++) {
      firstOfLevel[i + 2] = Math.addExact(firstOfLevel[i + 1], levels[i]);
    }
  }

  /** With as many directories as JindoFS's set would have. */
  static LevelTree of(long files) {
    long directories = Math.round(files * DIRECTORY_SHARE / (1 - DIRECTORY_SHARE));
    return of(files, Math.max(UPPER_DIRECTORIES + LEAST_LOWER, Math.toIntExact(directories)));
  }

  /**
   * With so many directories below the root, or some few less.
   *
   * @param directories at least one
   */
  static LevelTree of(long files, int directories) {
    long lower = directories - UPPER_DIRECTORIES;
    if (lower < LEAST_LOWER) {
      return new LevelTree(files, 1, new int[] {directories});
    }
    IntStream below = IntStream.of(LOWER_PERCENTS).map(percent -> (int) (lower * percent / 100));
    return new LevelTree(
        files,
        UPPER_LEVELS.length + 1,
        IntStream.concat(IntStream.of(UPPER_LEVELS), below).toArray());
  }

  @Override
  public int directories() {
    return firstOfLevel[firstOfLevel.length - 1];
  }

  @Override
  public long files() {
    return files;
  }

  /** From this one on every directory has files, as long as there are enough. */
  int firstWithFiles() {
    return firstOfLevel[firstLevelWithFiles];
  }

  @Override
  public int levelOf(int directory) {
    int level = 0;
    while (directory >= firstOfLevel[level + 1]) {
      level++;
    }
    return level;
  }

  @Override
  public int parentOf(int directory) {
    int level = levelOf(directory);
    int above = firstOfLevel[level] - firstOfLevel[level - 1];
    return firstOfLevel[level - 1] + (directory - firstOfLevel[level]) % above;
  }

  @Override
  public int childrenOf(int directory) {
    int level = levelOf(directory);
    if (level + 1 == firstOfLevel.length - 1) {
      return 0;
    }
    int own = firstOfLevel[level + 1] - firstOfLevel[level];
    int below = firstOfLevel[level + 2] - firstOfLevel[level + 1];
    int position = directory - firstOfLevel[level];
    return position >= below ? 0 : (below - position - 1) / own + 1;
  }

  @Override
  public int child(int directory, int index) {
    int level = levelOf(directory);
    int own = firstOfLevel[level + 1] - firstOfLevel[level];
    return firstOfLevel[level + 1] + directory - firstOfLevel[level] + index * own;
  }

  @Override
  public long firstFileOf(int directory) {
    int first = firstWithFiles();
    long position = Math.max(0, directory - first);
    long with = directories() - first;
    return position * (files / with) + Math.min(position, files % with);
  }
}
