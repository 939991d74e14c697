package io.acaciafs.fsimage.format;

/**
 * Where things stand in the packed numbers of an image. Source: HDFS's PermissionStatusFormat,
 * AclEntryStatusFormat and XAttrFormat.
 */
public final class ImageBits {
  /** Numbers of strings. */
  public static final int STRING_MASK = (1 << 24) - 1;

  public static final int USER_SHIFT = 40;
  public static final int GROUP_SHIFT = 16;
  public static final int MODE_MASK = 0xffff;

  /** Of an entry of an ACL, or of an attribute. */
  public static final int NAME_SHIFT = 6;

  public static final int ACL_SCOPE_SHIFT = 5;
  public static final int ACL_TYPE_SHIFT = 3;

  public static final int XATTR_SPACE_SHIFT = 30;
  public static final int XATTR_SPACE_BITS = 2;
  public static final int XATTR_SPACE_MASK = 3;

  /** The third bit of the name space, which did not fit beside the others. */
  public static final int XATTR_MORE_SPACE_SHIFT = 5;

  private ImageBits() {}
}
