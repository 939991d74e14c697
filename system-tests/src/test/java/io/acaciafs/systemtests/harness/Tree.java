package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** The paths of a whole namespace. */
public final class Tree {
  private Tree() {}

  /** All paths below the root, in the order of a walk; directories end in a slash. */
  public static List<String> list(FileSystem fs) throws IOException {
    List<String> paths = new ArrayList<>();
    walk(fs, new Path("/"), paths);
    return paths;
  }

  private static void walk(FileSystem fs, Path directory, List<String> paths) throws IOException {
    for (FileStatus child : fs.listStatus(directory)) {
      String path = child.getPath().toUri().getPath();
      paths.add(child.isDirectory() ? path + "/" : path);
      if (child.isDirectory()) {
        walk(fs, child.getPath(), paths);
      }
    }
  }
}
