package io.acaciafs.namespace.model;

import static io.acaciafs.namespace.model.ModelPermissions.needOwner;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hdfs.protocol.AclException;

/**
 * ACLs as maps from "user:", "user:NAME", "group:", "group:NAME", "mask:" and "other:" to
 * permissions.
 */
final class ModelAcls {
  private static final List<String> BASE = List.of("user:", "group:", "other:");

  private final Model model;

  ModelAcls(Model model) {
    this.model = model;
  }

  private Node owned(Model.User user, String path) throws IOException {
    Node node = model.existing(user, path);
    needOwner(user, node);
    return node;
  }

  /** The access ACL with what stands in the mode. */
  private static Map<String, Integer> whole(Node node) {
    Map<String, Integer> whole = new TreeMap<>(node.acl);
    whole.put("user:", node.mode >> 6 & 7);
    whole.put(node.acl.isEmpty() ? "group:" : "mask:", node.mode >> 3 & 7);
    whole.put("other:", node.mode & 7);
    return whole;
  }

  private static void store(Node node, Map<String, Integer> whole) {
    int group = whole.getOrDefault("mask:", whole.get("group:"));
    node.mode = node.mode & 01000 | whole.get("user:") << 6 | group << 3 | whole.get("other:");
    node.acl.clear();
    if (whole.containsKey("mask:")) {
      node.acl.putAll(whole);
      node.acl.keySet().removeAll(List.of("user:", "mask:", "other:"));
    }
  }

  String set(
      Model.User user, String path, Map<String, Integer> access, Map<String, Integer> defaults)
      throws IOException {
    Node node = owned(user, path);
    if (access.isEmpty() && defaults.isEmpty()) {
      return remove(node);
    }
    return change(
        node,
        new Edit(access.isEmpty() ? whole(node) : access, access.keySet()),
        new Edit(defaults.isEmpty() ? node.defaults : defaults, defaults.keySet()));
  }

  String modify(
      Model.User user, String path, Map<String, Integer> access, Map<String, Integer> defaults)
      throws IOException {
    Node node = owned(user, path);
    Edit newAccess = new Edit(whole(node), access.keySet());
    newAccess.entries.putAll(access);
    Edit newDefaults = new Edit(node.defaults, defaults.keySet());
    newDefaults.entries.putAll(defaults);
    return change(node, newAccess, newDefaults);
  }

  String removeEntries(Model.User user, String path, Set<String> access, Set<String> defaults)
      throws IOException {
    Node node = owned(user, path);
    return change(node, without(whole(node), access), without(node.defaults, defaults));
  }

  private static Edit without(Map<String, Integer> entries, Set<String> keys) {
    Set<String> there = new TreeSet<>(keys);
    there.retainAll(entries.keySet());
    Edit edit = new Edit(entries, there);
    edit.entries.keySet().removeAll(there);
    return edit;
  }

  String removeDefaults(Model.User user, String path) throws IOException {
    owned(user, path).defaults.clear();
    return "done";
  }

  String remove(Model.User user, String path) throws IOException {
    return remove(owned(user, path));
  }

  private static String remove(Node node) {
    if (!node.acl.isEmpty()) {
      Map<String, Integer> whole = whole(node);
      whole.remove("mask:");
      store(node, whole);
    }
    node.defaults.clear();
    return "done";
  }

  private static String change(Node node, Edit access, Edit defaults) throws AclException {
    if (defaults.entries.keySet().equals(Set.of("mask:"))) {
      defaults.entries.clear(); // it hides nothing
    }
    if (!defaults.entries.isEmpty()) {
      for (String key : BASE) {
        if (access.entries.containsKey(key)) {
          defaults.entries.putIfAbsent(key, access.entries.get(key));
        }
      }
    }
    access.completeMask();
    defaults.completeMask();
    if (!access.entries.keySet().containsAll(BASE)
        || (!defaults.entries.isEmpty()
            && (!defaults.entries.keySet().containsAll(BASE) || !node.directory))) {
      throw new AclException("");
    }
    store(node, access.entries);
    node.defaults.clear();
    node.defaults.putAll(defaults.entries);
    return "done";
  }

  /** One of the two ACLs while it changes, and the keys that somebody named. */
  private static final class Edit {
    private final Map<String, Integer> entries;
    private final Set<String> named;

    private Edit(Map<String, Integer> entries, Collection<String> named) {
      this.entries = new TreeMap<>(entries);
      this.named = new TreeSet<>(named);
    }

    /** Who changes entries without a mask gets one that hides none of them. */
    private void completeMask() throws AclException {
      boolean hasMask = entries.containsKey("mask:");
      boolean needsMask = entries.keySet().stream().anyMatch(key -> !key.endsWith(":"));
      if (named.contains("mask:")) {
        if (needsMask && !hasMask) {
          throw new AclException("");
        }
      } else if (!named.isEmpty() && (needsMask || hasMask)) {
        entries.remove("mask:");
        int union = 0;
        for (Map.Entry<String, Integer> entry : entries.entrySet()) {
          if (!entry.getKey().equals("user:") && !entry.getKey().equals("other:")) {
            union |= entry.getValue();
          }
        }
        entries.put("mask:", union);
      }
    }
  }

  /** What a new entry gets from its directory; its mode limits it. */
  static void inherit(Node parent, Node child) {
    if (parent.defaults.isEmpty()) {
      return;
    }
    boolean hasMask = parent.defaults.containsKey("mask:");
    Map<String, Integer> access = new TreeMap<>(parent.defaults);
    access.merge("user:", child.mode >> 6, (a, b) -> a & b);
    access.merge(hasMask ? "mask:" : "group:", child.mode >> 3, (a, b) -> a & b);
    access.merge("other:", child.mode, (a, b) -> a & b);
    store(child, access);
    if (child.directory) {
      child.defaults.putAll(parent.defaults);
    }
  }
}
