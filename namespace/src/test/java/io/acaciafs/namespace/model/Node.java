package io.acaciafs.namespace.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A file, directory or symbolic link of the model. An id of 0 is not known yet. */
final class Node {
  /** The same in all copies of a node. */
  final Object identity;

  final boolean directory;
  long id;
  String name;
  Node parent;
  String owner;
  String group;
  int mode;
  long mtimeMs;
  long atimeMs;

  /** What the mode does not say of the ACL: "user:bob", "group:" and so on to permissions. */
  final Map<String, Integer> acl = new TreeMap<>();

  final Map<String, String> xattrs = new TreeMap<>();

  /** Name of its own storage policy, or null. */
  String policy;

  /** Of a directory. */
  final Map<String, Node> children = new HashMap<>();

  /** Of a directory: what it gives to new entries, "user:", "group:", "other:" and "mask:" too. */
  final Map<String, Integer> defaults = new TreeMap<>();

  /** Of a directory: limits of what {@link ModelQuotas#usage} counts. */
  final Map<String, Long> quotas = new TreeMap<>();

  /** Of a file. */
  List<ModelBlock> blocks = new ArrayList<>();

  /** Of a file: who writes it, null: nobody. */
  String writer;

  int replication;

  /** Of a symbolic link; null: it is none. */
  String target;

  Node(boolean directory, String owner, String group, int mode, long mtimeMs, long atimeMs) {
    this(new Object(), directory);
    this.owner = owner;
    this.group = group;
    this.mode = mode;
    this.mtimeMs = mtimeMs;
    this.atimeMs = atimeMs;
  }

  private Node(Object identity, boolean directory) {
    this.identity = identity;
    this.directory = directory;
  }

  Node copy() {
    Node copy = new Node(identity, directory);
    copy.id = id;
    copy.name = name;
    copy.owner = owner;
    copy.group = group;
    copy.mode = mode;
    copy.mtimeMs = mtimeMs;
    copy.atimeMs = atimeMs;
    copy.acl.putAll(acl);
    copy.xattrs.putAll(xattrs);
    copy.policy = policy;
    children.values().forEach(child -> copy.put(child.name, child.copy()));
    copy.defaults.putAll(defaults);
    copy.quotas.putAll(quotas);
    blocks.forEach(block -> copy.blocks.add(block.copy()));
    copy.writer = writer;
    copy.replication = replication;
    copy.target = target;
    return copy;
  }

  void put(String childName, Node child) {
    child.name = childName;
    child.parent = this;
    children.put(childName, child);
  }

  boolean isFile() {
    return !directory && target == null;
  }

  String path() {
    if (parent == null) {
      return "/";
    }
    return (parent.parent == null ? "" : parent.path()) + "/" + name;
  }

  long length() {
    return blocks.stream().mapToLong(block -> block.length).sum();
  }

  /** Null where there is none. */
  ModelBlock last() {
    return blocks.isEmpty() ? null : blocks.get(blocks.size() - 1);
  }

  boolean isRecovering() {
    return last() != null && last().state == ModelBlock.State.RECOVERING;
  }

  boolean isLastCommitted() {
    return last() != null && last().state == ModelBlock.State.COMMITTED;
  }

  /** Name of the storage policy that applies, or null. */
  String effectivePolicy() {
    return policy != null || parent == null ? policy : parent.effectivePolicy();
  }

  /** This one and all below. */
  List<Node> all() {
    List<Node> all = new ArrayList<>();
    all.add(this);
    children.values().forEach(child -> all.addAll(child.all()));
    return all;
  }
}
