package io.acaciafs.namespace.op.attribute;

import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.BucketsAttribute;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.XAttr;
import org.jspecify.annotations.Nullable;

/** When a directory may get other buckets by its extended attribute {@code user.acacia.buckets}. */
final class BucketRules {
  private BucketRules() {}

  /**
   * The attribute as it is kept, with the number that the directory gets.
   *
   * @throws HadoopIllegalArgumentException when its value is no number of buckets
   */
  static XAttr normalized(XAttr xattr) {
    int count = BucketsAttribute.count(xattr);
    if (count == 0) {
      String value = BucketsAttribute.text(xattr);
      throw new HadoopIllegalArgumentException(
          "The value of user."
              + BucketsAttribute.NAME
              + " is a number of buckets, from 1 to "
              + Buckets.MOST
              + ", and not: "
              + (value.isEmpty() ? "empty" : value));
    }
    return new XAttr.Builder()
        .setNameSpace(xattr.getNameSpace())
        .setName(xattr.getName())
        .setValue(Integer.toString(count).getBytes(StandardCharsets.UTF_8))
        .build();
  }

  /**
   * Gives the directory at the end of a path its buckets.
   *
   * @param inode as it is to be, but for that
   * @param xattr normalized; null: it goes back to one bucket
   * @throws IOException when it is none, or holds something and has other buckets
   */
  static void update(Tree tree, ResolvedPath path, Inode inode, @Nullable XAttr xattr)
      throws IOException {
    if (!(inode instanceof DirectoryInode directory)) {
      throw new IOException(
          "Only a directory has buckets; user."
              + BucketsAttribute.NAME
              + " cannot be set on "
              + path);
    }
    Buckets wanted = xattr == null ? Buckets.ONE : BucketsAttribute.of(List.of(xattr));
    if (directory.buckets().equals(wanted)) {
      tree.update(path, inode);
      return;
    }
    if (!tree.directories().isEmpty(directory)) {
      throw new IOException(
          "The number of buckets can be changed only while a directory is empty: "
              + path
              + " has "
              + directory.buckets().count()
              + " and holds something");
    }
    tree.setBuckets(path, directory, wanted);
  }
}
