package io.acaciafs.tools.common;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;

/** What a new file system is made with. Stateless. */
public final class FirstDirectories {
  private FirstDirectories() {}

  /** Makes the user's home directory: without one, a path that does not begin with / fails. */
  public static void make(FileSystem fs) throws IOException {
    fs.mkdirs(fs.getHomeDirectory());
    Path temporary = new Path("/tmp");
    fs.mkdirs(temporary);
    fs.setPermission(temporary, new FsPermission("1777"));
  }
}
