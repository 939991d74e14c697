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
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.hdfs.protocol.UnresolvedPathException;
import org.apache.hadoop.security.AccessControlException;

/**
 * What HDFS does, on maps in memory: each operation checks, then changes; one that is refused
 * changes nothing unless it says so. Answers are texts, as they are only compared. Quotas are
 * judged by who runs an operation, see {@link ModelQuotas}.
 */
final class Model {
  static final int LIST_LIMIT = 4;
  static final int OPEN_FILES_LIMIT = 3;
  static final long BLOCK_SIZE = 1024;
  static final int MAX_BLOCKS = 4;
  static final int MAX_XATTRS = 2;
  static final int MAX_XATTR_SIZE = 8;
  static final String NAMENODE_HOLDER = "HDFS_NameNode";

  private static final long SOFT_LIMIT_MS = 60_000;
  private static final long HARD_LIMIT_MS = 1_200_000;

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

  ModelTree tree() {
    return new ModelTree(this);
  }

  ModelFiles files() {
    return new ModelFiles(this);
  }

  ModelChanges changes() {
    return new ModelChanges(this);
  }

  ModelRecovery recovery() {
    return new ModelRecovery(this);
  }

  ModelAttributes attributes() {
    return new ModelAttributes(this);
  }

  ModelAcls acls() {
    return new ModelAcls(this);
  }

  ModelReading reading() {
    return new ModelReading(this);
  }

  // ---- leases

  /** Leases are forgotten. */
  void restart() {
    renewals.clear();
    startMs = nowMs;
  }

  void renew(String client) {
    renewals.put(client, nowMs);
  }

  boolean isSoftExpired(String client) {
    return nowMs - renewals.getOrDefault(client, startMs) > SOFT_LIMIT_MS;
  }

  boolean isHardExpired(String client) {
    return nowMs - renewals.getOrDefault(client, startMs) > HARD_LIMIT_MS;
  }

  // ---- paths

  /** Names, and the nodes found along them, the root first. */
  record Place(List<String> names, List<Node> nodes) {
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

  Place place(List<String> names) {
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

  static List<String> split(String path) {
    return Arrays.stream(path.split("/")).filter(name -> !name.isEmpty()).toList();
  }

  static boolean isBelowInodes(List<String> names) {
    return names.size() > 1 && names.get(0).equals(".reserved") && names.get(1).equals(".inodes");
  }

  static boolean isValid(List<String> names) {
    return !names.contains("..") || (names.size() > 3 && isBelowInodes(names));
  }

  Node find(long id) {
    return root.all().stream().filter(node -> node.id == id).findFirst().orElse(null);
  }

  /** A link at the end is none that it may be left to the client to follow. */
  Place resolve(User user, String path, boolean creates) throws IOException {
    Place place = resolveLink(user, path, creates);
    if (place.exists()) {
      checkNoLink(place, place.names().size());
    }
    return place;
  }

  private static void checkNoLink(Place place, int index) throws UnresolvedPathException {
    String target = place.nodes().get(index).target;
    if (target != null) {
      List<String> names = place.names();
      throw new UnresolvedPathException(
          place.path(),
          "/" + String.join("/", names.subList(0, index - 1)),
          String.join("/", names.subList(index, names.size())),
          target);
    }
  }

  /** The link itself where there is one at the end. */
  Place resolveLink(User user, String path, boolean creates) throws IOException {
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
      checkNoLink(place, i);
      if (!node.directory) {
        throw creates ? new ParentNotDirectoryException() : new AccessControlException();
      }
      ModelPermissions.need(user, node, ModelPermissions.EXECUTE);
    }
    return place;
  }

  Node existing(User user, String path) throws IOException {
    Node node = resolve(user, path, false).node();
    if (node == null) {
      throw new FileNotFoundException();
    }
    return node;
  }

  static void checkNotReserved(String path) {
    if (path.equals("/.reserved")) {
      throw new InvalidPathException(path);
    }
  }

  // ---- entries of directories

  private void touch(Node directory) {
    directory.mtimeMs = Math.max(directory.mtimeMs, nowMs);
  }

  void add(Node parent, String name, Node child) {
    parent.put(name, child);
    touch(parent);
  }

  void remove(Node node) {
    node.parent.children.remove(node.name);
    touch(node.parent);
  }
}
