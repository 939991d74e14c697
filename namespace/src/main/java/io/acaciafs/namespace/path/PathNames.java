package io.acaciafs.namespace.path;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.hdfs.DFSUtilClient;

/** Paths as lists of names, and the names that HDFS reserves. */
public final class PathNames {
  public static final byte[] DOT_RESERVED = ".reserved".getBytes(StandardCharsets.UTF_8);
  public static final byte[] DOT_INODES = ".inodes".getBytes(StandardCharsets.UTF_8);
  public static final byte[] RAW = "raw".getBytes(StandardCharsets.UTF_8);
  public static final byte[] DOT_SNAPSHOT = ".snapshot".getBytes(StandardCharsets.UTF_8);
  public static final byte[] DOT_DOT = "..".getBytes(StandardCharsets.UTF_8);

  private PathNames() {}

  /**
   * The names of an absolute path, none for the root. Repeated and trailing separators count once,
   * as in HDFS.
   */
  public static List<byte[]> split(String path) {
    if (!path.startsWith("/")) {
      throw new InvalidPathException("Absolute path required, but got '" + path + "'");
    }
    byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
    List<byte[]> names = new ArrayList<>();
    int start = 0;
    for (int i = 0; i <= bytes.length; i++) {
      if (i == bytes.length || bytes[i] == '/') {
        if (i > start) {
          names.add(Arrays.copyOfRange(bytes, start, i));
        }
        start = i + 1;
      }
    }
    return names;
  }

  /** The path of the first {@code count} names. */
  public static String join(List<byte[]> names, int count) {
    if (count == 0) {
      return "/";
    }
    StringBuilder path = new StringBuilder();
    for (byte[] name : names.subList(0, count)) {
      path.append('/').append(toString(name));
    }
    return path.toString();
  }

  public static String toString(byte[] name) {
    return new String(name, StandardCharsets.UTF_8);
  }

  /** Whether HDFS would create something of this name. */
  public static boolean isValid(String path) {
    return isPlain(path) || DFSUtilClient.isValidName(path);
  }

  /** Absolute, and without anything that would have to be looked at. */
  private static boolean isPlain(String path) {
    return path.startsWith("/")
        && path.indexOf(':') < 0
        && !path.contains("/.")
        && !path.contains("//");
  }

  /** Whether a path, which may not be normalized, could have a reserved name. */
  public static boolean mayBeReserved(String path) {
    return !path.startsWith("/") || path.startsWith("/.reserved") || path.startsWith("//");
  }

  public static boolean isReserved(List<byte[]> names) {
    return !names.isEmpty() && Arrays.equals(names.get(0), DOT_RESERVED);
  }

  /** Whether names lie below {@code /.reserved/SECOND}, or are it. */
  public static boolean isBelowReserved(List<byte[]> names, byte[] second) {
    return names.size() >= 2 && isReserved(names) && Arrays.equals(names.get(1), second);
  }
}
