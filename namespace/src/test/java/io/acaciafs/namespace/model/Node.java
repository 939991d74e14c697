package io.acaciafs.namespace.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A file or directory of the model. An id of 0 is not known yet. */
final class Node {
  long id;
  String name;
  Node parent;
  final boolean directory;
  String owner;
  String group;
  int mode;
  long mtimeMs;
  long atimeMs;

  /** Of a directory. */
  final Map<String, Node> children = new HashMap<>();

  /**
   * Of a file: id, length and state of each block (1: committed, 2: under recovery), and who writes
   * it (null: nobody).
   */
  final List<long[]> blocks = new ArrayList<>();

  String writer;
  int replication;

  Node(boolean directory, String owner, String group, int mode, long mtimeMs, long atimeMs) {
    this.directory = directory;
    this.owner = owner;
    this.group = group;
    this.mode = mode;
    this.mtimeMs = mtimeMs;
    this.atimeMs = atimeMs;
  }

  Node copy() {
    Node copy = new Node(directory, owner, group, mode, mtimeMs, atimeMs);
    copy.id = id;
    copy.name = name;
    copy.writer = writer;
    copy.replication = replication;
    blocks.forEach(block -> copy.blocks.add(block.clone()));
    children.values().forEach(child -> copy.put(child.name, child.copy()));
    return copy;
  }

  void put(String childName, Node child) {
    child.name = childName;
    child.parent = this;
    children.put(childName, child);
  }

  String path() {
    if (parent == null) {
      return "/";
    }
    return (parent.parent == null ? "" : parent.path()) + "/" + name;
  }

  long length() {
    return blocks.stream().mapToLong(block -> block[1]).sum();
  }

  /** This one and all below. */
  List<Node> all() {
    List<Node> all = new ArrayList<>();
    all.add(this);
    children.values().forEach(child -> all.addAll(child.all()));
    return all;
  }
}
