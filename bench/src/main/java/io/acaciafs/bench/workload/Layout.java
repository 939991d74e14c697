package io.acaciafs.bench.workload;

import io.acaciafs.bench.client.PathBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Names of directories and files below one root: {@code ROOT/d03/d17/f0000042}. Immutable.
 *
 * <p>The directories with files lie {@code depth} levels below the root, as evenly spread as can
 * be.
 */
final class Layout {
  private static final int NAME_DIGITS = 7;

  private final byte[][] directories;

  /**
   * @param directories how many hold files, at least one
   * @param depth levels below the root, at least one
   */
  Layout(String root, int directories, int depth) {
    this.directories = new byte[directories][];
    int fanOut = (int) Math.ceil(Math.pow(directories, 1.0 / depth) - 1e-9);
    for (int i = 0; i < directories; i++) {
      this.directories[i] = ascii(root + levels(i, fanOut, depth));
    }
  }

  private static String levels(int number, int fanOut, int depth) {
    StringBuilder path = new StringBuilder();
    int rest = number;
    for (int level = 0; level < depth; level++) {
      boolean top = level == depth - 1;
      int digit = top ? rest : rest % fanOut;
      path.insert(0, "/d" + (digit < 10 ? "0" : "") + digit);
      rest /= fanOut;
    }
    return path.toString();
  }

  private static byte[] ascii(String path) {
    return path.getBytes(StandardCharsets.US_ASCII);
  }

  int directories() {
    return directories.length;
  }

  /** A directory that holds files. */
  PathBuffer directory(PathBuffer path, int number) {
    return path.set(directories[number]);
  }

  /** The entry {@code kind} and {@code number} of a directory. */
  PathBuffer entry(PathBuffer path, int directory, char kind, int number) {
    return directory(path, directory).append('/').append(kind).append(number, NAME_DIGITS);
  }

  /** The same, of those that one slot makes for itself. */
  PathBuffer entry(PathBuffer path, int directory, char kind, int slot, int number) {
    return entry(path, directory, kind, slot).append('-').append(number, NAME_DIGITS);
  }

  /** The file of this number, when they are spread over all directories. */
  PathBuffer file(PathBuffer path, char kind, int number) {
    return entry(path, number % directories.length, kind, number / directories.length);
  }
}
