package io.acaciafs.namespace.model;

import static io.acaciafs.namespace.model.ModelPermissions.WRITE;
import static io.acaciafs.namespace.model.ModelPermissions.need;
import static io.acaciafs.namespace.model.ModelPermissions.needOwner;
import static io.acaciafs.namespace.model.ModelPermissions.needSuperuser;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.PathIsNotDirectoryException;
import org.apache.hadoop.security.AccessControlException;

/** What files and directories carry with them. */
final class ModelAttributes {
  static final long STAYS = Long.MAX_VALUE;
  static final long NONE = -1;

  private static final long PRECISION_MS = 3_600_000;
  private static final Set<String> POLICIES =
      Set.of("HOT", "WARM", "COLD", "ONE_SSD", "ALL_SSD", "LAZY_PERSIST");

  private final Model model;

  ModelAttributes(Model model) {
    this.model = model;
  }

  String setPermission(Model.User user, String path, int mode) throws IOException {
    Model.checkNotReserved(path);
    Node node = model.existing(user, path);
    needOwner(user, node);
    node.mode = mode;
    return "done";
  }

  String setOwner(Model.User user, String path, String owner, String group) throws IOException {
    Model.checkNotReserved(path);
    Node node = model.existing(user, path);
    needOwner(user, node);
    if (!user.superuser()
        && ((owner != null && !owner.equals(user.name()))
            || (group != null && !user.groups().contains(group)))) {
      throw new AccessControlException();
    }
    node.owner = owner == null ? node.owner : owner;
    node.group = group == null ? node.group : group;
    return "done";
  }

  String setTimes(Model.User user, String path, long mtimeMs, long atimeMs) throws IOException {
    Node node = model.resolve(user, path, false).node();
    need(user, node, WRITE);
    if (node == null) {
      throw new FileNotFoundException();
    }
    node.mtimeMs = mtimeMs < 0 ? node.mtimeMs : mtimeMs;
    node.atimeMs = atimeMs < 0 ? node.atimeMs : atimeMs;
    return "done";
  }

  String setReplication(Model.User user, String path, int replication) throws IOException {
    if (replication < 1 || replication > 512) {
      throw new IOException();
    }
    Node node = model.resolve(user, path, false).node();
    need(user, node, WRITE);
    if (node == null || node.directory) {
      return "false";
    }
    node.replication = replication;
    return "true";
  }

  String touchAccessTime(long fileId) {
    Node node = model.find(fileId);
    if (node != null && node.isFile() && model.nowMs > node.atimeMs + PRECISION_MS) {
      node.atimeMs = model.nowMs;
    }
    return "done";
  }

  private Node forXAttr(Model.User user, String path, String name) throws IOException {
    boolean trusted = name.startsWith("trusted.");
    if (trusted) {
      needSuperuser(user);
    }
    Node node = model.resolve(user, path, false).node();
    if (!trusted && node != null) {
      if (node.directory && (node.mode & 01000) != 0) {
        needOwner(user, node);
      } else {
        need(user, node, WRITE);
      }
    }
    if (node == null) {
      throw new FileNotFoundException();
    }
    return node;
  }

  String setXAttr(
      Model.User user, String path, String name, String value, boolean creates, boolean replaces)
      throws IOException {
    if (name.substring(name.indexOf('.') + 1).length() + value.length() > Model.MAX_XATTR_SIZE) {
      throw new HadoopIllegalArgumentException("");
    }
    Node node = forXAttr(user, path, name);
    if (!creates && !replaces) {
      throw new HadoopIllegalArgumentException("");
    }
    if (node.xattrs.containsKey(name) ? !replaces : !creates) {
      throw new IOException();
    }
    if (!node.xattrs.containsKey(name) && node.xattrs.size() == Model.MAX_XATTRS) {
      throw new IOException();
    }
    node.xattrs.put(name, value);
    return "done";
  }

  String removeXAttr(Model.User user, String path, String name) throws IOException {
    if (forXAttr(user, path, name).xattrs.remove(name) == null) {
      throw new IOException();
    }
    return "done";
  }

  /** A policy of null is none. */
  String setStoragePolicy(Model.User user, String path, String policy) throws IOException {
    if (policy != null && !POLICIES.contains(policy)) {
      throw new HadoopIllegalArgumentException("");
    }
    Node node = model.resolve(user, path, false).node();
    need(user, node, WRITE);
    if (node == null) {
      throw new FileNotFoundException();
    }
    if (!node.directory && ("LAZY_PERSIST".equals(policy) || "LAZY_PERSIST".equals(node.policy))) {
      throw new HadoopIllegalArgumentException("");
    }
    node.policy = policy;
    return "done";
  }

  String setQuota(Model.User user, String path, String what, long limit) throws IOException {
    needSuperuser(user);
    Node node = model.existing(user, path);
    if (!node.directory) {
      throw new PathIsNotDirectoryException(path);
    }
    if (limit == NONE) {
      node.quotas.remove(what);
    } else if (limit != STAYS) {
      node.quotas.put(what, limit);
    }
    return "done";
  }
}
