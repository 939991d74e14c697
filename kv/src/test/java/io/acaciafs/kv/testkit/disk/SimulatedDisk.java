package io.acaciafs.kv.testkit.disk;

import io.acaciafs.kv.testkit.disk.DiskTrace.Op;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * The possible contents of a folder on the disk while a test replays a trace. The disk has all
 * synced data. Of other data it may have any write, any sector, and any change of a folder's names.
 * The data of a failed sync is lost, though processes that read the file from the system's memory
 * saw it.
 */
final class SimulatedDisk {
  /** What is there of what was not synced. */
  enum Luck {
    NOTHING,
    ALL,
    FIRST,
    SOME,
    SECTORS,
    PAGES
  }

  /**
   * RocksDB renames its new file CURRENT before it syncs the name of the MANIFEST that CURRENT
   * names: it relies on journals of file systems, which keep the order of names in one folder.
   */
  private static final String IN_ORDER = "CURRENT";

  private static final int SECTOR_BYTES = 512;
  private static final int PAGE_BYTES = 4096;

  /** Of a file: bytes from an offset, or null for another length. */
  private record Change(long number, byte[] bytes, long offset, boolean mayShorten) {}

  /** Of a folder: names with what they mean then; null: nothing. */
  private record Names(long number, Map<String, Node> changed) {}

  /** A file or a folder. */
  private static final class Node {
    private final boolean isFolder;
    private byte[] durable = {};
    private int length;
    private final List<Change> changes = new ArrayList<>();
    private final Map<String, Node> names = new TreeMap<>();
    private final Map<String, Node> durableNames = new TreeMap<>();
    private final List<Names> nameChanges = new ArrayList<>();

    Node(boolean isFolder) {
      this.isFolder = isFolder;
    }
  }

  /** A sync under way: covers what was done before. */
  private record Sync(Node node, long before) {}

  private final Node root = new Node(true);
  private final Map<Long, Node> files = new HashMap<>();
  private final Map<Long, Sync> syncs = new HashMap<>();
  private long number;

  /** The next thing was done. */
  void apply(Op op) {
    number++;
    switch (op.type()) {
      case 'C' -> files.put(op.inode(), name(op.path(), new Node(false)));
      case 'M' -> name(op.path(), new Node(true));
      case 'W' -> change(op, new Change(number, op.one(), op.a(), false));
      case 'T' -> change(op, new Change(number, null, op.a(), true));
      case 'L' -> change(op, new Change(number, null, op.a(), false));
      case 'U' -> name(op.path(), null);
      case 'H' -> name(op.target(), find(op.path()));
      case 'R' -> rename(op.path(), op.target());
      case 'B' -> {
        Node node = op.b() == 1 ? find(op.path()) : files.get(op.inode());
        if (node != null) {
          syncs.put(op.a(), new Sync(node, number));
        }
      }
      case 'E' -> {
        Sync ended = syncs.remove(op.a());
        if (ended != null) {
          end(ended, op.b() == 0);
        }
      }
      default -> throw new IllegalStateException("Cannot be followed: " + op.type());
    }
  }

  private void change(Op op, Change change) {
    files.get(op.inode()).changes.add(change);
  }

  private Node find(String path) {
    Node node = root;
    for (String name : path.isEmpty() ? new String[0] : path.split("/")) {
      node = node == null ? null : node.names.get(name);
    }
    return node;
  }

  private static String parent(String path) {
    return path.contains("/") ? path.substring(0, path.lastIndexOf('/')) : "";
  }

  private static String last(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private Node name(String path, Node node) {
    Map<String, Node> changed = new HashMap<>();
    changed.put(last(path), node);
    change(find(parent(path)), changed);
    return node;
  }

  private void rename(String from, String to) {
    Node moved = find(from);
    if (parent(from).equals(parent(to))) { // both or none
      Map<String, Node> changed = new HashMap<>();
      changed.put(last(from), null);
      changed.put(last(to), moved);
      change(find(parent(to)), changed);
    } else {
      name(to, moved);
      name(from, null);
    }
  }

  private void change(Node folder, Map<String, Node> changed) {
    folder.nameChanges.add(new Names(number, changed));
    apply(changed, folder.names);
  }

  private static void apply(Map<String, Node> changed, Map<String, Node> names) {
    changed.forEach(
        (name, node) -> {
          if (node == null) {
            names.remove(name);
          } else {
            names.put(name, node);
          }
        });
  }

  private static void end(Sync sync, boolean succeeded) {
    Node node = sync.node();
    if (succeeded) {
      for (Change change : node.changes) {
        if (change.number() < sync.before()) {
          apply(node, change);
        }
      }
      for (Names names : node.nameChanges) {
        if (names.number() < sync.before()) {
          apply(names.changed(), node.durableNames);
        }
      }
      node.nameChanges.removeIf(names -> names.number() < sync.before());
    }
    node.changes.removeIf(change -> change.number() < sync.before());
  }

  private static void apply(Node node, Change change) {
    if (change.bytes() == null) {
      int length = Math.toIntExact(change.offset());
      if (length > node.length || change.mayShorten()) {
        grow(node, length);
        Arrays.fill(node.durable, Math.min(length, node.length), node.durable.length, (byte) 0);
        node.length = length;
      }
    } else {
      int offset = Math.toIntExact(change.offset());
      grow(node, offset + change.bytes().length);
      System.arraycopy(change.bytes(), 0, node.durable, offset, change.bytes().length);
      node.length = Math.max(node.length, offset + change.bytes().length);
    }
  }

  private static void grow(Node node, int length) {
    if (node.durable.length < length) {
      node.durable = Arrays.copyOf(node.durable, Math.max(length, 2 * node.durable.length));
    }
  }

  // ---- when the power fails

  /**
   * Writes into an empty folder what the disk may hold now.
   *
   * @param data of what was written into files
   * @param names of what was done to names
   */
  void writeTo(Path target, Luck data, Luck names, Random random) throws IOException {
    write(root, target, data, names, random);
  }

  private static void write(Node folder, Path target, Luck data, Luck luck, Random random)
      throws IOException {
    Map<String, Node> names = new TreeMap<>(folder.durableNames);
    int first = random.nextInt(folder.nameChanges.size() + 1);
    boolean isWhole = true;
    for (int i = 0; i < folder.nameChanges.size(); i++) {
      Map<String, Node> changed = folder.nameChanges.get(i).changed();
      boolean isThere = isThere(luck, i, first, random);
      if (isThere && (isWhole || !changed.containsKey(IN_ORDER))) {
        apply(changed, names);
      } else {
        isWhole = false;
      }
    }
    for (Map.Entry<String, Node> entry : names.entrySet()) {
      Path path = target.resolve(entry.getKey());
      if (entry.getValue().isFolder) {
        Files.createDirectory(path);
        write(entry.getValue(), path, data, luck, random);
      } else {
        Files.write(path, content(entry.getValue(), data, random));
      }
    }
  }

  private static boolean isThere(Luck luck, int index, int first, Random random) {
    return switch (luck) {
      case NOTHING -> false;
      case ALL -> true;
      case FIRST -> index < first;
      default -> random.nextBoolean();
    };
  }

  private static byte[] content(Node file, Luck luck, Random random) {
    Node left = new Node(false);
    left.durable = Arrays.copyOf(file.durable, file.length);
    left.length = file.length;
    int first = random.nextInt(file.changes.size() + 1);
    boolean comesTheLengthFirst = luck != Luck.NOTHING && random.nextInt(4) == 0;
    for (int i = 0; i < file.changes.size(); i++) {
      Change change = file.changes.get(i);
      boolean isWrite = change.bytes() != null;
      if (isWrite && (luck == Luck.SECTORS || luck == Luck.PAGES)) {
        applySome(left, change, luck == Luck.SECTORS ? SECTOR_BYTES : PAGE_BYTES, random);
      } else if (isThere(luck, i, first, random)) {
        apply(left, change);
      }
      if (isWrite && comesTheLengthFirst) {
        long end = change.offset() + change.bytes().length;
        apply(left, new Change(0, null, end, false));
      }
    }
    return Arrays.copyOf(left.durable, left.length);
  }

  private static void applySome(Node left, Change change, int piece, Random random) {
    long end = change.offset() + change.bytes().length;
    int chance = random.nextInt(11);
    for (long from = change.offset(); from < end; ) {
      long to = Math.min(end, (from / piece + 1) * piece);
      if (random.nextInt(10) < chance) {
        int begin = (int) (from - change.offset());
        byte[] part = Arrays.copyOfRange(change.bytes(), begin, begin + (int) (to - from));
        apply(left, new Change(0, part, from, false));
      }
      from = to;
    }
  }
}
