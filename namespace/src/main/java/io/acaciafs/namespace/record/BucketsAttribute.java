package io.acaciafs.namespace.record;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.fs.XAttr;

/**
 * The extended attribute {@code user.acacia.buckets}: over how many buckets an empty directory is
 * to spread what will be in it. HDFS has no such thing, but each of its clients can set an
 * attribute, and its images keep it.
 */
public final class BucketsAttribute {
  /** Without the name space. */
  public static final String NAME = "acacia.buckets";

  private BucketsAttribute() {}

  public static boolean isMeant(XAttr xattr) {
    return xattr.getNameSpace() == XAttr.NameSpace.USER && xattr.getName().equals(NAME);
  }

  /** The number asked for, or the next power of two; 0 where that is no number of buckets. */
  public static int count(XAttr xattr) {
    String value = text(xattr);
    int asked = value.matches("[0-9]{1,4}") ? Integer.parseInt(value) : 0;
    if (asked < 1 || asked > Buckets.MOST) {
      return 0;
    }
    return asked == 1 ? 1 : Integer.highestOneBit(asked - 1) << 1;
  }

  /** Its value, empty for none. */
  public static String text(XAttr xattr) {
    return xattr.getValue() == null ? "" : new String(xattr.getValue(), StandardCharsets.UTF_8);
  }

  /** What the attributes of a directory ask for. */
  public static Buckets of(List<XAttr> xattrs) {
    for (XAttr xattr : xattrs) {
      if (isMeant(xattr) && count(xattr) > 0) {
        return Buckets.uniform(count(xattr));
      }
    }
    return Buckets.ONE;
  }
}
