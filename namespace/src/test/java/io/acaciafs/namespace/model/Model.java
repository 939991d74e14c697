package io.acaciafs.namespace.model;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.RecoveryInProgressException;
import org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException;
import org.apache.hadoop.security.AccessControlException;

/**
 * What HDFS does, on maps in memory: each operation checks, then changes. Answers are texts, as
 * they are only compared.
 */
final class Model {
  static final int LIST_LIMIT = 4;
  static final long BLOCK_SIZE = 1024;
  static final int MAX_BLOCKS = 4;

  private static final int READ = 4;
  private static final int WRITE = 2;
  private static final int EXECUTE = 1;
  private static final long SOFT_LIMIT_MS = 60_000;
  private static final long PRECISION_MS = 3_600_000;

  /** Orders names as HDFS does. */
  static final Comparator<String> BY_SIGNED_BYTES =
      (a, b) ->
          Arrays.compare(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

  record User(String name, boolean superuser, Set<String> groups) {}

  Node root;
  long nowMs;
  private final Map<String, Long> renewals = new HashMap<>();
  private long startMs;

  Model(long nowMs) {
    this.nowMs = nowMs;
    this.startMs = nowMs;
    this.root = new Node(true, "hdfs", "supergroup", 0755, nowMs, 0);
    this.root.id = 16385;
    this.root.name = "";
  }

  Model copy() {
    Model copy = new Model(nowMs);
    copy.root = root.copy();
    copy.renewals.putAll(renewals);
    copy.startMs = startMs;
    return copy;
  }

  /** Leases are forgotten. */
  void restart() {
    renewals.clear();
    startMs = nowMs;
  }

  // ---- paths

  /** Names, and the nodes found along them, the root first. */
  private record Place(List<String> names, List<Node> nodes) {
    boolean exists() {
      return nodes.size() == names.size() + 1;
    }

    Node node() {
      return exists() ? nodes.get(names.size()) : null;
    }

    Node parent() {
      return !names.isEmpty() && nodes.size() >= names.size() ? nodes.get(names.size() - 1) : null;
    }

    String name() {
      return names.get(names.size() - 1);
    }

    String path() {
      return "/" + String.join("/", names);
    }

    /** The deepest one above the last name. */
    Node ancestor() {
      return nodes.get(Math.max(0, Math.min(nodes.size(), names.size()) - 1));
    }
  }

  private Place place(List<String> names) {
    List<Node> nodes = new ArrayList<>();
    Node node = root;
    nodes.add(node);
    for (String name : names) {
      node = node.children.get(name);
      if (node == null) {
        break;
      }
      nodes.add(node);
    }
    return new Place(names, nodes);
  }

  private static List<String> split(String path) {
    return Arrays.stream(path.split("/")).filter(name -> !name.isEmpty()).toList();
  }

  private static boolean isBelowInodes(List<String> names) {
    return names.size() > 1 && names.get(0).equals(".reserved") && names.get(1).equals(".inodes");
  }

  private static boolean isValid(List<String> names) {
    return !names.contains("..") || (names.size() > 3 && isBelowInodes(names));
  }

  Node find(long id) {
    return root.all().stream().filter(node -> node.id == id).findFirst().orElse(null);
  }

  private Place resolve(User user, String path, boolean creates) throws IOException {
    List<String> names = split(path);
    if (creates && !isValid(names)) {
      throw new InvalidPathException(path);
    }
    if (names.size() > 2 && isBelowInodes(names)) {
      Node node = find(Long.parseLong(names.get(2)));
      if (node == null) {
        throw new FileNotFoundException();
      }
      List<String> behind = new ArrayList<>(split(node.path()));
      if (names.size() > 3 && names.get(3).equals("..")) {
        names = behind.subList(0, Math.max(0, behind.size() - 1));
      } else {
        behind.addAll(names.subList(3, names.size()));
        names = behind;
      }
    }
    Place place = place(names);
    for (int i = 0; i < names.size() && i < place.nodes().size(); i++) {
      Node node = place.nodes().get(i);
      if (!node.directory) {
        throw creates ? new ParentNotDirectoryException() : new AccessControlException();
      }
      need(user, node, EXECUTE);
    }
    return place;
  }

  // ---- permissions

  private static boolean may(User user, Node node, int access) {
    int shift = 0;
    if (user.name().equals(node.owner)) {
      shift = 6;
    } else if (user.groups().contains(node.group)) {
      shift = 3;
    }
    return user.superuser() || ((node.mode >> shift) & access) == access;
  }

  private static void need(User user, Node node, int access) throws AccessControlException {
    if (node != null && !may(user, node, access)) {
      throw new AccessControlException();
    }
  }

  private static void needUnstuck(User user, Node parent, Node child)
      throws AccessControlException {
    if (!user.superuser()
        && (parent.mode & 01000) != 0
        && !parent.owner.equals(user.name())
        && !child.owner.equals(user.name())) {
      throw new AccessControlException();
    }
  }

  private static void needRemove(User user, Place place) throws AccessControlException {
    if (place.parent() != null) {
      if (place.exists()) {
        needUnstuck(user, place.parent(), place.node());
      }
      need(user, place.parent(), WRITE);
    }
  }

  private static void needRemoveBelow(User user, Node top) throws AccessControlException {
    for (Node node : top.all()) {
      if (node.directory && !node.children.isEmpty()) {
        need(user, node, READ | WRITE | EXECUTE);
        for (Node child : node.children.values()) {
          needUnstuck(user, node, child);
        }
      }
    }
  }

  private static void needAncestor(User user, Place place) throws AccessControlException {
    if (!place.names().isEmpty()) {
      need(user, place.ancestor(), WRITE);
    }
  }

  private static void needOwner(User user, Node node) throws AccessControlException {
    if (!user.superuser() && !node.owner.equals(user.name())) {
      throw new AccessControlException();
    }
  }

  // ---- changes of the tree

  private void touch(Node directory) {
    directory.mtimeMs = Math.max(directory.mtimeMs, nowMs);
  }

  private void add(Node parent, String name, Node child) {
    parent.put(name, child);
    touch(parent);
  }

  private void remove(Node node) {
    node.parent.children.remove(node.name);
    touch(node.parent);
  }

  private static void checkNames(Place place) {
    List<String> added = place.names().subList(place.nodes().size() - 1, place.names().size());
    for (String name : added) {
      if (name.equals(".snapshot")) {
        throw new HadoopIllegalArgumentException(name);
      }
    }
    if (place.nodes().size() == 1 && !added.isEmpty() && added.get(0).equals(".reserved")) {
      throw new HadoopIllegalArgumentException(".reserved");
    }
  }

  private Node addDirectories(User user, Place place, int count, int mode) {
    Node node = place.nodes().get(place.nodes().size() - 1);
    for (String name : place.names().subList(place.nodes().size() - 1, count)) {
      Node child = new Node(true, user.name(), node.group, (mode & 0777) | 0300, nowMs, 0);
      add(node, name, child);
      node = child;
    }
    return node;
  }

  String mkdirs(User user, String path, int mode, boolean createParent) throws IOException {
    Place place = resolve(user, path, true);
    if (place.exists()) {
      if (!place.node().directory) {
        throw new FileAlreadyExistsException();
      }
      return "true";
    }
    needAncestor(user, place);
    if (!createParent && place.names().size() > 1 && place.parent() == null) {
      throw new FileNotFoundException();
    }
    checkNames(place);
    Node parent = addDirectories(user, place, place.names().size() - 1, mode);
    add(parent, place.name(), new Node(true, user.name(), parent.group, mode, nowMs, 0));
    return "true";
  }

  String create(
      User user, String path, int mode, String client, boolean overwrite, boolean createParent)
      throws IOException {
    if (!isValid(split(path))
        || path.equals("/.reserved")
        || (path.startsWith("/.reserved/") && !path.startsWith("/.reserved/.inodes"))) {
      throw new InvalidPathException(path);
    }
    Place place = resolve(user, path, true);
    needAncestor(user, place);
    if (place.exists()) {
      if (place.node().directory) {
        throw new FileAlreadyExistsException();
      }
      if (!overwrite) {
        throw refusal(place.node(), client);
      }
      need(user, place.node(), WRITE);
      remove(place.node());
    } else {
      if (!createParent && place.names().size() > 1 && place.parent() == null) {
        throw new FileNotFoundException();
      }
      checkNames(place);
    }
    Node parent =
        place.exists()
            ? place.parent()
            : addDirectories(user, place, place.names().size() - 1, place.ancestor().mode);
    Node file = new Node(false, user.name(), parent.group, mode, nowMs, nowMs);
    file.writer = client;
    file.replication = 3;
    add(parent, place.name(), file);
    renewals.put(client, nowMs);
    return "created";
  }

  private IOException refusal(Node file, String client) {
    if (file.writer == null) {
      return new FileAlreadyExistsException();
    }
    long renewedMs = renewals.getOrDefault(file.writer, startMs);
    if (file.writer.equals(client)) {
      return new AlreadyBeingCreatedException("");
    }
    if (nowMs - renewedMs <= SOFT_LIMIT_MS) {
      return isUnderRecovery(file)
          ? new RecoveryInProgressException("")
          : new AlreadyBeingCreatedException("");
    }
    if (!file.blocks.isEmpty() && !isCommitted(file)) {
      lastOf(file)[2] = 2;
      renew(file.writer);
      return new RecoveryInProgressException("");
    }
    close(file);
    return new FileAlreadyExistsException();
  }

  private void close(Node file) {
    file.writer = null;
    file.mtimeMs = nowMs;
  }

  void renew(String client) {
    renewals.put(client, nowMs);
  }

  private Node writable(User user, String path, long fileId, String client) throws IOException {
    Node file;
    if (fileId == 0) {
      file = resolve(user, path, false).node();
    } else {
      file = find(fileId);
    }
    if (file == null) {
      throw new FileNotFoundException();
    }
    if (file.directory || file.writer == null || !file.writer.equals(client)) {
      throw new LeaseExpiredException("");
    }
    return file;
  }

  private static long[] lastOf(Node file) {
    return file.blocks.get(file.blocks.size() - 1);
  }

  private static boolean isCommitted(Node file) {
    return lastOf(file)[2] == 1;
  }

  private static boolean isUnderRecovery(Node file) {
    return !file.blocks.isEmpty() && lastOf(file)[2] == 2;
  }

  /** Id 0 names no block; a block that is new gets id 0 here. */
  String addBlock(
      User user, String path, long fileId, String client, long previous, long previousLength)
      throws IOException {
    Node file = writable(user, path, fileId, client);
    int count = file.blocks.size();
    long last = count == 0 ? 0 : file.blocks.get(count - 1)[0];
    long penultimate = count < 2 ? 0 : file.blocks.get(count - 2)[0];
    boolean behindFullBlock =
        previous == 0 && last != 0 && isCommitted(file) && lastOf(file)[1] >= BLOCK_SIZE;
    if (last != previous && !behindFullBlock) {
      if (penultimate != previous || file.blocks.get(count - 1)[1] != 0) {
        throw new IOException();
      }
      return "again";
    }
    if (count >= MAX_BLOCKS) {
      throw new IOException();
    }
    if (isUnderRecovery(file)) {
      throw new IOException();
    }
    if (count > 0 && !behindFullBlock) {
      lastOf(file)[1] = previousLength;
      lastOf(file)[2] = 1;
    }
    file.blocks.add(new long[] {0, 0, 0});
    return "new";
  }

  String abandonBlock(User user, String path, long fileId, String client, long block)
      throws IOException {
    Node file = writable(user, path, fileId, client);
    int count = file.blocks.size();
    if (count > 0 && file.blocks.get(count - 1)[0] == block) {
      file.blocks.remove(count - 1);
    }
    return "done";
  }

  String fsync(User user, String path, long fileId, String client, long length) throws IOException {
    Node file = writable(user, path, fileId, client);
    if (!file.blocks.isEmpty()) {
      long[] last = file.blocks.get(file.blocks.size() - 1);
      last[1] = Math.max(last[1], length);
    }
    return "done";
  }

  String complete(User user, String path, long fileId, String client, long last, long length)
      throws IOException {
    Node closed = fileId == 0 ? resolve(user, path, false).node() : find(fileId);
    if (closed != null && !closed.directory && closed.writer == null) {
      int count = closed.blocks.size();
      if ((count == 0 ? 0 : closed.blocks.get(count - 1)[0]) == last) {
        return "true";
      }
    }
    Node file = writable(user, path, fileId, client);
    int count = file.blocks.size();
    if (count > 0) {
      long[] actual = file.blocks.get(count - 1);
      if (last == 0 && !isCommitted(file)) {
        return "false";
      }
      if (last != 0 && (actual[0] != last || isUnderRecovery(file))) {
        throw new IOException();
      }
      actual[1] = last == 0 ? actual[1] : length;
      actual[2] = 1;
    }
    close(file);
    return "true";
  }

  String delete(User user, String path, boolean recursive) throws IOException {
    if (path.equals("/.reserved")) {
      throw new InvalidPathException(path);
    }
    Place place = resolve(user, path, false);
    needRemove(user, place);
    if (place.exists() && place.node().directory) {
      needRemoveBelow(user, place.node());
      if (!recursive && !place.node().children.isEmpty()) {
        throw new PathIsNotEmptyDirectoryException(path);
      }
    }
    if (!place.exists() || place.names().isEmpty()) {
      return "false";
    }
    remove(place.node());
    return "true";
  }

  String rename(User user, String source, String destination) throws IOException {
    Place from = resolve(user, source, false);
    Place to = resolve(user, destination, true);
    if (to.exists() && to.node().directory && !from.names().isEmpty()) {
      List<String> names = new ArrayList<>(to.names());
      names.add(from.name());
      needRemove(user, from);
      need(user, to.node(), EXECUTE);
      to = place(names);
    }
    needRemove(user, from);
    needAncestor(user, to);
    if (!from.exists() || from.names().isEmpty()) {
      return "false";
    }
    if (from.path().equals(to.path())) {
      return "true";
    }
    if (to.path().startsWith(from.path() + "/")) {
      return "false";
    }
    if (to.path().equals("/.reserved")) {
      throw new InvalidPathException(destination);
    }
    if (to.exists() || to.parent() == null) {
      return "false";
    }
    move(from, to);
    return "true";
  }

  String rename2(User user, String source, String destination, boolean overwrite, boolean toTrash)
      throws IOException {
    Place from = resolve(user, source, false);
    Place to = resolve(user, destination, true);
    needRemove(user, from);
    if (toTrash && from.exists()) {
      needRemoveBelow(user, from.node());
    }
    needAncestor(user, to);
    if (!from.exists()) {
      throw new FileNotFoundException();
    }
    if (from.names().isEmpty()) {
      throw new IOException();
    }
    if (from.path().equals(to.path())) {
      throw new FileAlreadyExistsException();
    }
    if (to.path().startsWith(from.path() + "/")) {
      throw new IOException();
    }
    if (to.path().equals("/.reserved")) {
      throw new InvalidPathException(destination);
    }
    if (to.names().isEmpty()) {
      throw new IOException();
    }
    if (to.exists()) {
      if (to.node().directory != from.node().directory) {
        throw new IOException();
      }
      if (!overwrite) {
        throw new FileAlreadyExistsException();
      }
      if (!to.node().children.isEmpty()) {
        throw new IOException();
      }
    }
    if (to.parent() == null) {
      throw new FileNotFoundException();
    }
    if (to.exists()) {
      remove(to.node());
    }
    move(from, to);
    return "done";
  }

  private void move(Place from, Place to) {
    checkNames(to);
    Node node = from.node();
    remove(node);
    add(to.parent(), to.name(), node);
  }

  // ---- attributes

  private Node existing(User user, String path) throws IOException {
    Node node = resolve(user, path, false).node();
    if (node == null) {
      throw new FileNotFoundException();
    }
    return node;
  }

  String setPermission(User user, String path, int mode) throws IOException {
    if (path.equals("/.reserved")) {
      throw new InvalidPathException(path);
    }
    Node node = existing(user, path);
    needOwner(user, node);
    node.mode = mode;
    return "done";
  }

  String setOwner(User user, String path, String owner, String group) throws IOException {
    if (path.equals("/.reserved")) {
      throw new InvalidPathException(path);
    }
    Node node = existing(user, path);
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

  String setTimes(User user, String path, long mtimeMs, long atimeMs) throws IOException {
    Node node = resolve(user, path, false).node();
    need(user, node, WRITE);
    if (node == null) {
      throw new FileNotFoundException();
    }
    node.mtimeMs = mtimeMs < 0 ? node.mtimeMs : mtimeMs;
    node.atimeMs = atimeMs < 0 ? node.atimeMs : atimeMs;
    return "done";
  }

  String setReplication(User user, String path, int replication) throws IOException {
    if (replication < 1 || replication > 512) {
      throw new IOException();
    }
    Node node = resolve(user, path, false).node();
    need(user, node, WRITE);
    if (node == null || node.directory) {
      return "false";
    }
    node.replication = replication;
    return "true";
  }

  String touchAccessTime(long fileId) {
    Node node = find(fileId);
    if (node != null && !node.directory && nowMs > node.atimeMs + PRECISION_MS) {
      node.atimeMs = nowMs;
    }
    return "done";
  }

  // ---- reading

  static String describe(Node node, String name) {
    return String.join(
        " ",
        name,
        node.directory ? "d" : "-",
        node.owner,
        node.group,
        Integer.toOctalString(node.mode),
        "m" + node.mtimeMs,
        "a" + node.atimeMs,
        node.directory
            ? "n" + node.children.size()
            : "r" + node.replication + " b" + node.length() + "/" + node.blocks.size(),
        node.writer == null ? "" : node.writer);
  }

  String info(User user, String path) throws IOException {
    Place place;
    try {
      place = resolve(user, path, false);
    } catch (AccessControlException e) {
      if (user.superuser()) {
        return "none";
      }
      throw e;
    }
    if (place.path().equals("/.reserved")) {
      return "reserved";
    }
    return place.exists() ? describe(place.node(), "") : "none";
  }

  String list(User user, String path, String startAfter, boolean needLocation) throws IOException {
    Place place = resolve(user, path, false);
    if (place.path().equals("/.reserved")) {
      return "reserved";
    }
    if (!place.exists()) {
      return "none";
    }
    if (!place.node().directory) {
      return describe(place.node(), "") + ";";
    }
    need(user, place.node(), READ | EXECUTE);
    List<String> names =
        place.node().children.keySet().stream()
            .sorted(BY_SIGNED_BYTES)
            .filter(name -> startAfter.isEmpty() || BY_SIGNED_BYTES.compare(name, startAfter) > 0)
            .toList();
    StringBuilder page = new StringBuilder();
    int listed = 0;
    int replicas = 0;
    for (String name : names) {
      if (listed == LIST_LIMIT || replicas >= LIST_LIMIT) {
        return page + "...";
      }
      Node child = place.node().children.get(name);
      page.append(describe(child, name)).append(';');
      listed++;
      replicas += needLocation ? child.replication * child.blocks.size() : 0;
    }
    return page.toString();
  }

  String access(User user, String path, int access) throws IOException {
    need(user, existing(user, path), access);
    return "done";
  }

  String file(User user, String path) throws IOException {
    Node node = existing(user, path);
    if (node.directory) {
      throw new FileNotFoundException();
    }
    need(user, node, READ);
    return describe(node, "");
  }

  String summary(User user, String path) throws IOException {
    Node top = existing(user, path);
    long files = 0;
    long directories = 0;
    long length = 0;
    long space = 0;
    for (Node node : top.all()) {
      if (node.directory) {
        need(user, node, READ | EXECUTE);
        directories++;
      } else {
        files++;
        length += node.length();
        long oneReplica = node.length();
        if (node.writer != null && !node.blocks.isEmpty()) {
          oneReplica += BLOCK_SIZE - node.blocks.get(node.blocks.size() - 1)[1];
        }
        space += oneReplica * node.replication;
      }
    }
    return files + " " + directories + " " + length + " " + space;
  }
}
