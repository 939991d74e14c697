package io.acaciafs.namespace.model;

import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What operations are drawn from: few names, so that they meet often.
 *
 * @param ids any inode id that was seen, of files that are gone as well
 */
record Draws(Random random, Model model, List<Long> ids) {
  static final List<String> CLIENTS = List.of("client_1", "client_2");

  private static final List<String> NAMES = List.of("a", "b", "c", "\u00e9");
  private static final List<String> ODD_NAMES = List.of(".snapshot", ".reserved", "..", "d");
  private static final int[] MODES = {0777, 0755, 0700, 0750, 01777, 0711, 0, 0770, 0444};
  private static final int MAX_DEPTH = 4;

  record Who(Caller caller, Model.User user) {}

  Who who() {
    return switch (random.nextInt(8)) {
      case 0 -> new Who(NamespaceFixture.ALICE, new Model.User("alice", false, Set.of("staff")));
      case 1 -> new Who(NamespaceFixture.BOB, new Model.User("bob", false, Set.of("staff", "dev")));
      case 2 -> new Who(NamespaceFixture.CAROL, new Model.User("carol", false, Set.of()));
      default -> new Who(NamespaceFixture.SUPERUSER, new Model.User("hdfs", true, Set.of()));
    };
  }

  <E> E oneOf(List<E> list) {
    return list.get(random.nextInt(list.size()));
  }

  String path() {
    int kind = random.nextInt(20);
    if (kind == 0 && !ids.isEmpty()) {
      return "/.reserved/.inodes/" + oneOf(ids) + (random.nextBoolean() ? "" : "/" + name());
    }
    if (kind < 11) {
      String existing = oneOf(model.root.all()).path();
      return random.nextInt(3) > 0 || existing.split("/").length > MAX_DEPTH
          ? existing
          : (existing.equals("/") ? "" : existing) + "/" + name();
    }
    StringBuilder path = new StringBuilder();
    for (int i = random.nextInt(MAX_DEPTH) + 1; i > 0; i--) {
      path.append('/').append(name());
    }
    return path.toString();
  }

  String name() {
    return oneOf(random.nextInt(100) == 0 ? ODD_NAMES : NAMES);
  }

  short mode() {
    return (short) MODES[random.nextInt(MODES.length)];
  }

  /** A file, its id or 0, its path or a wrong one, and mostly its writer. */
  record Target(Node file, String path, long id, String client) {}

  Target target() {
    List<Node> files =
        model.root.all().stream()
            .filter(node -> !node.directory && (node.writer != null || random.nextInt(5) == 0))
            .toList();
    Node file = files.isEmpty() ? model.root : oneOf(files);
    String client = file.writer == null || random.nextInt(10) == 0 ? oneOf(CLIENTS) : file.writer;
    boolean byId = file.id != 0 && random.nextInt(4) > 0;
    return new Target(
        file,
        byId && random.nextInt(4) == 0 ? path() : file.path(),
        byId && !file.path().equals("/") ? file.id : 0,
        client);
  }

  /** A node like this, if there is any; mostly, that is. */
  Node nodeOr(Node otherwise, Predicate<Node> wanted) {
    List<Node> nodes = model.root.all().stream().filter(wanted).toList();
    return nodes.isEmpty() || once(8) ? otherwise : oneOf(nodes);
  }

  /** As {@link #nodeOr}, its path. */
  String pathOf(String otherwise, Predicate<Node> wanted) {
    Node node = nodeOr(null, wanted);
    return node == null ? otherwise : node.path();
  }

  String client() {
    return oneOf(CLIENTS);
  }

  /** Whether to do what is done once in so many times. */
  boolean once(int inSoMany) {
    return random.nextInt(inSoMany) == 0;
  }
}
