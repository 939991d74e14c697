package io.acaciafs.fsimage;

/**
 * Where things stand in the packed numbers of an image. Source: HDFS's PermissionStatusFormat,
 * AclEntryStatusFormat and XAttrFormat.
 */
final class ImageBits {
  /** Numbers of strings. */
  static final int STRING_MASK = (1 << 24) - 1;

  static final int USER_SHIFT = 40;
  static final int GROUP_SHIFT = 16;
  static final int MODE_MASK = 0xffff;

  /** Of an entry of an ACL, or of an attribute. */
  static final int NAME_SHIFT = 6;

  static final int ACL_SCOPE_SHIFT = 5;
  static final int ACL_TYPE_SHIFT = 3;

  static final int XATTR_SPACE_SHIFT = 30;
  static final int XATTR_SPACE_BITS = 2;
  static final int XATTR_SPACE_MASK = 3;

  /** The third bit of the name space, which did not fit beside the others. */
  static final int XATTR_MORE_SPACE_SHIFT = 5;

  private ImageBits() {}
}
