package io.acaciafs.namespace.op.common;

import io.acaciafs.namespace.path.PathNames;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.settings.NamespaceSettings;
import io.acaciafs.namespace.tree.InodeStatus;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** {@code /.reserved} as HDFS shows it: a directory that no row stands for. */
public final class ReservedDirectory {
  private static final String PATH = "/.reserved";
  private static final short STICKY_MODE = 01770;
  private static final short MODE = 0770;

  private ReservedDirectory() {}

  public static boolean isAt(String path) {
    return path.equals(PATH);
  }

  public static boolean isAt(ResolvedPath path) {
    return path.names().size() == 1 && Arrays.equals(path.name(), PathNames.DOT_RESERVED);
  }

  public static InodeStatus status() {
    return status("", STICKY_MODE, "");
  }

  public static List<InodeStatus> entries(NamespaceSettings settings) {
    return List.of(
        status(".inodes", MODE, settings.permissions().superGroup()),
        status("raw", MODE, settings.permissions().superGroup()));
  }

  private static InodeStatus status(String name, short mode, String group) {
    Inode.Attributes attributes = new Inode.Attributes("", group, mode, 0, 0);
    return new InodeStatus(
        name.getBytes(StandardCharsets.UTF_8),
        new DirectoryInode(0, Locator.spread(0), attributes),
        0,
        0);
  }
}
