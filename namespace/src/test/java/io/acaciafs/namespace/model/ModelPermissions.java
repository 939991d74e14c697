package io.acaciafs.namespace.model;

import java.util.Map;
import org.apache.hadoop.security.AccessControlException;

/** Who may do what to which node. */
final class ModelPermissions {
  static final int READ = 4;
  static final int WRITE = 2;
  static final int EXECUTE = 1;

  private ModelPermissions() {}

  private static boolean may(Model.User user, Node node, int access) {
    if (user.superuser()) {
      return true;
    }
    if (user.name().equals(node.owner)) {
      return allows(node.mode >> 6, access);
    }
    if (node.acl.isEmpty()) {
      return allows(user.groups().contains(node.group) ? node.mode >> 3 : node.mode, access);
    }
    int mask = node.mode >> 3;
    Integer own = node.acl.get("user:" + user.name());
    if (own != null) {
      return allows(own & mask, access);
    }
    boolean inAnyGroup = false;
    for (Map.Entry<String, Integer> entry : node.acl.entrySet()) {
      if (entry.getKey().startsWith("group:")) {
        String group = entry.getKey().substring("group:".length());
        if (user.groups().contains(group.isEmpty() ? node.group : group)) {
          inAnyGroup = true;
          if (allows(entry.getValue() & mask, access)) {
            return true;
          }
        }
      }
    }
    return !inAnyGroup && allows(node.mode, access);
  }

  private static boolean allows(int granted, int access) {
    return (granted & access) == access;
  }

  static void need(Model.User user, Node node, int access) throws AccessControlException {
    if (node != null && !may(user, node, access)) {
      throw new AccessControlException();
    }
  }

  private static void needUnstuck(Model.User user, Node parent, Node child)
      throws AccessControlException {
    if (!user.superuser()
        && (parent.mode & 01000) != 0
        && !parent.owner.equals(user.name())
        && !child.owner.equals(user.name())) {
      throw new AccessControlException();
    }
  }

  static void needRemove(Model.User user, Model.Place place) throws AccessControlException {
    if (place.parent() != null) {
      if (place.exists()) {
        needUnstuck(user, place.parent(), place.node());
      }
      need(user, place.parent(), WRITE);
    }
  }

  static void needRemoveBelow(Model.User user, Node top) throws AccessControlException {
    for (Node node : top.all()) {
      if (node.directory && !node.children.isEmpty()) {
        need(user, node, READ | WRITE | EXECUTE);
        for (Node child : node.children.values()) {
          needUnstuck(user, node, child);
        }
      }
    }
  }

  static void needAncestor(Model.User user, Model.Place place) throws AccessControlException {
    if (!place.names().isEmpty()) {
      need(user, place.ancestor(), WRITE);
    }
  }

  static void needOwner(Model.User user, Node node) throws AccessControlException {
    if (!user.superuser() && !node.owner.equals(user.name())) {
      throw new AccessControlException();
    }
  }

  static void needSuperuser(Model.User user) throws AccessControlException {
    if (!user.superuser()) {
      throw new AccessControlException();
    }
  }
}
