package io.acaciafs.namespace.model;

import io.acaciafs.namespace.InodeStatus;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.fs.ContentSummary;

/** What the namespace answers, in the words of the model. */
final class Rendering {
  private Rendering() {}

  static String describe(InodeStatus status) {
    Inode inode = status.inode();
    FileInode file = inode instanceof FileInode f ? f : null;
    return String.join(
        " ",
        new String(status.localName(), StandardCharsets.UTF_8),
        file == null ? "d" : "-",
        inode.attributes().owner(),
        inode.attributes().group(),
        Integer.toOctalString(inode.attributes().mode()),
        "m" + status.modificationTimeMs(),
        "a" + inode.attributes().accessTimeMs(),
        file == null
            ? "n" + status.children()
            : "r" + file.replication() + " b" + file.lengthBytes() + "/" + file.blocks().size(),
        file == null || file.writer() == null ? "" : file.writer().clientName());
  }

  static String describe(ContentSummary summary) {
    return summary.getFileCount()
        + " "
        + summary.getDirectoryCount()
        + " "
        + summary.getLength()
        + " "
        + summary.getSpaceConsumed();
  }
}
