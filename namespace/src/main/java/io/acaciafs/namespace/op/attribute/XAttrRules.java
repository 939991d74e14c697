package io.acaciafs.namespace.op.attribute;

import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.settings.FeatureSettings;
import io.acaciafs.namespace.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.security.AccessControlException;

/**
 * Which users may see and change which extended attributes, and how many there may be. Source:
 * XAttrPermissionFilter and FSDirXAttrOp.
 *
 * <p>user: as the permission bits say; in a directory with the sticky bit only its owner changes
 * them. trusted: superusers. raw: below /.reserved/raw. system and security: nobody, but for one
 * mark.
 */
public final class XAttrRules {
  /** May be set by anybody who may write, carries no value, and stays for ever. */
  static final String UNREADABLE_BY_SUPERUSER = "security.hdfs.unreadable.by.superuser";

  private XAttrRules() {}

  static void checkEnabled(FeatureSettings settings) throws IOException {
    if (!settings.xattrs().enabled()) {
      throw new IOException(
          "The XAttr operation has been rejected.  Support for XAttrs has been disabled by setting"
              + " dfs.namenode.xattrs.enabled to false.");
    }
  }

  static void checkSize(FeatureSettings settings, XAttr xattr) {
    int sizeBytes = xattr.getName().getBytes(StandardCharsets.UTF_8).length;
    if (xattr.getValue() != null) {
      sizeBytes += xattr.getValue().length;
    }
    if (sizeBytes > settings.xattrs().maxSizeBytes()) {
      throw new HadoopIllegalArgumentException(
          "The XAttr is too big. The maximum combined size of the name and value is "
              + settings.xattrs().maxSizeBytes()
              + ", but the total size is "
              + sizeBytes);
    }
  }

  static boolean isRaw(String path) {
    return path.startsWith("/.reserved/raw");
  }

  /** The caller may name this attribute at all. */
  static void checkMayUse(Tree tree, XAttr xattr, boolean rawPath) throws AccessControlException {
    String subject = "XAttr [ns=" + xattr.getNameSpace() + ", name=" + xattr.getName() + "]";
    if (!isVisible(tree.caller(), xattr, rawPath)) {
      throw tree.permissions()
          .deny(
              subject,
              "User doesn't have permission for xattr: " + XAttrHelper.getPrefixedName(xattr));
    }
    if (isUnreadableMark(xattr) && xattr.getValue() != null) {
      throw tree.permissions()
          .deny(
              subject,
              "Attempt to set a value for '"
                  + UNREADABLE_BY_SUPERUSER
                  + "'. Values are not allowed for this xattr.");
    }
    if (xattr.getNameSpace() == XAttr.NameSpace.USER
        || xattr.getNameSpace() == XAttr.NameSpace.TRUSTED) {
      tree.permissions().confirmSuperuser(subject);
    }
  }

  static boolean isVisible(Caller caller, XAttr xattr, boolean rawPath) {
    return switch (xattr.getNameSpace()) {
      case USER -> true;
      case TRUSTED -> caller.isSuperuser();
      case RAW -> rawPath;
      case SECURITY -> isUnreadableMark(xattr);
      case SYSTEM -> false;
    };
  }

  /**
   * @throws AccessControlException when the file is marked as one that superusers may not read
   */
  public static void checkReadable(Tree tree, ResolvedPath file) throws AccessControlException {
    if (!tree.settings().permissions().isEnabled() || !tree.caller().isSuperuser()) {
      return;
    }
    if (file.existing().features().xattrs().stream().anyMatch(XAttrRules::isUnreadableMark)) {
      throw tree.permissions()
          .deny(
              file.toString(),
              "Access is denied for "
                  + tree.caller().user()
                  + " since the superuser is not allowed to perform this operation.");
    }
    tree.permissions().confirmSuperuser(file);
  }

  private static boolean isUnreadableMark(XAttr xattr) {
    return XAttrHelper.getPrefixedName(xattr).equals(UNREADABLE_BY_SUPERUSER);
  }

  /**
   * @throws FileNotFoundException when there is nothing
   */
  static ResolvedPath resolveForChange(Tree tree, String path, XAttr xattr) throws IOException {
    checkEnabled(tree.settings().features());
    checkMayUse(tree, xattr, isRaw(path));
    ResolvedPath resolved = tree.resolve(path, PathUse.WRITE);
    if (tree.settings().permissions().isEnabled() && xattr.getNameSpace() == XAttr.NameSpace.USER) {
      Inode inode = resolved.inode();
      if (inode != null && inode.isDirectory() && inode.attributes().permission().getStickyBit()) {
        tree.permissions().checkOwner(resolved);
      } else {
        tree.permissions().checkInode(resolved, FsAction.WRITE);
      }
    }
    requireExists(resolved);
    return resolved;
  }

  /** What the caller may see of an inode's attributes. */
  static List<XAttr> read(Tree tree, String path) throws IOException {
    ResolvedPath resolved = tree.resolve(path, PathUse.READ);
    tree.permissions().checkInode(resolved, FsAction.READ);
    requireExists(resolved);
    return tree.permissions().shown(resolved, resolved.existing()).features().xattrs().stream()
        .filter(xattr -> isVisible(tree.caller(), xattr, isRaw(path)))
        .toList();
  }

  static void requireExists(ResolvedPath path) throws FileNotFoundException {
    if (!path.exists()) {
      throw new FileNotFoundException("cannot find " + path);
    }
  }

  /** The attributes of an inode with one more, or another value of one. */
  public static List<XAttr> with(
      FeatureSettings settings, Inode inode, XAttr xattr, EnumSet<XAttrSetFlag> flags)
      throws IOException {
    List<XAttr> others = without(inode, xattr);
    boolean exists = others.size() < inode.features().xattrs().size();
    XAttrSetFlag.validate(xattr.getName(), exists, flags);
    List<XAttr> all = new ArrayList<>();
    all.add(xattr);
    all.addAll(others);
    if (all.stream().filter(XAttrRules::counts).count() > settings.xattrs().maxPerInode()) {
      throw new IOException(
          "Cannot add additional XAttr to inode, would exceed limit of "
              + settings.xattrs().maxPerInode());
    }
    if (isUnreadableMark(xattr) && inode.isDirectory()) {
      throw new IOException("Can only set '" + UNREADABLE_BY_SUPERUSER + "' on a file.");
    }
    return all;
  }

  public static List<XAttr> without(Inode inode, XAttr xattr) {
    return inode.features().xattrs().stream()
        .filter(existing -> !existing.equalsIgnoreValue(xattr))
        .toList();
  }

  static void checkMayRemove(XAttr xattr) throws AccessControlException {
    if (isUnreadableMark(xattr)) {
      throw new AccessControlException(
          "The xattr '" + UNREADABLE_BY_SUPERUSER + "' can not be deleted.");
    }
  }

  private static boolean counts(XAttr xattr) {
    return xattr.getNameSpace() == XAttr.NameSpace.USER
        || xattr.getNameSpace() == XAttr.NameSpace.TRUSTED;
  }
}
