package io.acaciafs.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.testkit.disk.DiskTrace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Calls of one client, one after the other, in a directory of its own: what is there after each,
 * and how long the trace was when the NameNode had acknowledged it.
 */
final class ClientHistory {
  private static final FsPermission PERMISSION = new FsPermission((short) 0750);
  private static final FsPermission OTHER = new FsPermission((short) 0700);
  private static final int XATTR_BYTES = 15_000;
  private static final int XATTRS = 30;

  private final String root;
  private final DiskTrace trace;

  /** The first is that of no call. */
  private final List<SortedMap<String, String>> pictures = new ArrayList<>();

  private final List<Long> acknowledged = new ArrayList<>();
  private final SortedMap<String, String> now = new TreeMap<>();
  private int next;

  /**
   * @param name of its directory
   */
  ClientHistory(String name, DiskTrace trace) {
    this.root = "/" + name;
    this.trace = trace;
    pictures.add(new TreeMap<>());
  }

  /** Makes calls; each must succeed. */
  void run(FileSystem fs, int rounds) throws IOException {
    if (next == 0) {
      directory(fs, root);
    }
    for (int i = 0; i < rounds; i++, next++) {
      String path = root + "/" + next;
      directory(fs, path);
      try (FSDataOutputStream file =
          fs.create(new Path(path + "/file"), PERMISSION, false, 4096, (short) 1, 1 << 20, null)) {
        assertThat(file).isNotNull();
        put(path + "/file", "-" + PERMISSION);
        acknowledge();
      }
      fs.setPermission(new Path(path), OTHER);
      put(path, "d" + OTHER);
      acknowledge();
      if (next % 3 == 1) {
        fs.rename(new Path(path), new Path(root + "/moved" + next));
        move(path, root + "/moved" + next);
        acknowledge();
      } else if (next % 3 == 2) {
        fs.delete(new Path(path), true);
        now.keySet().removeIf(key -> key.equals(path) || key.startsWith(path + "/"));
        acknowledge();
      }
      growLarge(fs, next % XATTRS);
    }
  }

  /** The row of the directory becomes larger than a segment of the log. */
  private void growLarge(FileSystem fs, int number) throws IOException {
    byte[] value = new byte[XATTR_BYTES];
    Arrays.fill(value, (byte) number);
    String name = String.format("user.x%02d", number);
    if (now.get(root).contains(name)) {
      return;
    }
    fs.setXAttr(new Path(root), name, value);
    String before = now.get(root);
    List<String> words = new ArrayList<>(List.of(before.split(" ")));
    words.add(name + "=" + Arrays.hashCode(value));
    put(root, String.join(" ", words));
    acknowledge();
  }

  private void directory(FileSystem fs, String path) throws IOException {
    fs.mkdirs(new Path(path), PERMISSION);
    put(path, "d" + PERMISSION);
    acknowledge();
  }

  private void put(String path, String text) {
    now.put(path, text);
  }

  private void move(String from, String to) {
    for (String path : List.copyOf(now.keySet())) {
      if (path.equals(from) || path.startsWith(from + "/")) {
        now.put(to + path.substring(from.length()), now.remove(path));
      }
    }
  }

  private synchronized void acknowledge() throws IOException {
    pictures.add(new TreeMap<>(now));
    acknowledged.add(trace.bytes());
  }

  /** How many calls the NameNode has acknowledged. */
  synchronized int count() {
    return acknowledged.size();
  }

  /** How many calls it had acknowledged when the trace had so many bytes. */
  int countAt(long traceBytes) {
    int count = 0;
    while (count < acknowledged.size() && acknowledged.get(count) <= traceBytes) {
      count++;
    }
    return count;
  }

  /**
   * What is wrong with a picture of the file system; empty when it is that after one of the calls.
   *
   * @param least of the calls that have to be in it
   * @param most of those that may be
   */
  String differences(Map<String, String> whole, int least, int most) {
    SortedMap<String, String> own = new TreeMap<>(whole);
    own.keySet().removeIf(path -> !path.equals(root) && !path.startsWith(root + "/"));
    int last = Math.min(most, pictures.size() - 1);
    for (int calls = least; calls <= last; calls++) {
      if (pictures.get(calls).equals(own)) {
        return "";
      }
    }
    return String.format(
        "not as after calls %d to %d: there is %s, and was %s",
        least, last, own, pictures.get(least));
  }
}
