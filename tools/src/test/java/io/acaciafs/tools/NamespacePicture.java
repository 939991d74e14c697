package io.acaciafs.tools;

import java.io.IOException;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** All paths of a file system with what a client sees there, times excepted. */
final class NamespacePicture {
  private NamespacePicture() {}

  static SortedMap<String, String> of(FileSystem fs) throws IOException {
    SortedMap<String, String> picture = new TreeMap<>();
    add(fs, new Path("/"), picture);
    return picture;
  }

  private static void add(FileSystem fs, Path folder, SortedMap<String, String> picture)
      throws IOException {
    for (FileStatus status : fs.listStatus(folder)) {
      Path path = status.getPath();
      picture.put(path.toUri().getPath(), text(fs, status));
      if (status.isDirectory()) {
        add(fs, path, picture);
      }
    }
  }

  private static String text(FileSystem fs, FileStatus status) throws IOException {
    String xattrs =
        new TreeMap<>(fs.getXAttrs(status.getPath()))
            .entrySet().stream()
                .map(xattr -> " " + xattr.getKey() + "=" + Arrays.hashCode(xattr.getValue()))
                .collect(Collectors.joining());
    return (status.isDirectory() ? "d" : "-") + status.getPermission() + xattrs;
  }
}
