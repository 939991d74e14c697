package io.acaciafs.namespace.model;

import static io.acaciafs.namespace.model.ModelPermissions.EXECUTE;
import static io.acaciafs.namespace.model.ModelPermissions.READ;
import static io.acaciafs.namespace.model.ModelPermissions.need;
import static io.acaciafs.namespace.model.ModelPermissions.needSuperuser;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.UnresolvedPathException;
import org.apache.hadoop.hdfs.protocol.XAttrNotFoundException;
import org.apache.hadoop.security.AccessControlException;

/** What the namespace tells. */
final class ModelReading {
  private final Model model;

  ModelReading(Model model) {
    this.model = model;
  }

  static String describe(Node node, String name) {
    return String.join(
        " ",
        name,
        node.directory ? "d" : node.isFile() ? "-" : "l" + node.target,
        node.owner,
        node.group,
        Integer.toOctalString(node.mode),
        "m" + node.mtimeMs,
        "a" + node.atimeMs,
        node.directory
            ? "n" + node.children.size()
            : "r" + node.replication + " b" + node.length() + "/" + node.blocks.size(),
        node.writer == null ? "" : node.writer,
        node.acl.toString(),
        node.defaults.toString(),
        node.xattrs.toString(),
        String.valueOf(node.policy),
        node.quotas.toString());
  }

  String info(Model.User user, String path, boolean ofLink) throws IOException {
    Model.Place place;
    try {
      place = ofLink ? model.resolveLink(user, path, false) : model.resolve(user, path, false);
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

  String linkTarget(Model.User user, String path) throws IOException {
    String info;
    try {
      info = info(user, path, true);
    } catch (UnresolvedPathException e) {
      return e.getResolvedPath().toString();
    }
    if (info.equals("none")) {
      throw new FileNotFoundException();
    }
    Node node = info.equals("reserved") ? null : model.resolveLink(user, path, false).node();
    if (node == null || node.target == null) {
      throw new IOException();
    }
    return node.target;
  }

  private record Page(List<String> names, List<String> entries, boolean hasMore) {
    @Override
    public String toString() {
      return String.join("", entries) + (hasMore ? "..." : "");
    }

    private static Page of(String only) {
      return new Page(List.of(only), List.of(only), false);
    }
  }

  /** Null where there is nothing. */
  private Page page(Model.User user, String path, String startAfter, boolean needLocation)
      throws IOException {
    Model.Place place = model.resolve(user, path, false);
    if (place.path().equals("/.reserved")) {
      return new Page(List.of(".inodes", "raw"), List.of("reserved"), false);
    }
    if (!place.exists()) {
      return null;
    }
    if (!place.node().directory) {
      return Page.of(describe(place.node(), "") + ";");
    }
    need(user, place.node(), READ | EXECUTE);
    List<String> names =
        place.node().children.keySet().stream()
            .sorted(Model.BY_SIGNED_BYTES)
            .filter(
                name -> startAfter.isEmpty() || Model.BY_SIGNED_BYTES.compare(name, startAfter) > 0)
            .toList();
    int listed = 0;
    int replicas = 0;
    while (listed < Math.min(names.size(), Model.LIST_LIMIT) && replicas < Model.LIST_LIMIT) {
      Node child = place.node().children.get(names.get(listed));
      listed++;
      replicas += needLocation ? child.replication * child.blocks.size() : 0;
    }
    List<String> told = names.subList(0, listed);
    return new Page(
        told,
        told.stream().map(name -> describe(place.node().children.get(name), name) + ";").toList(),
        listed < names.size());
  }

  String list(Model.User user, String path, String startAfter, boolean needLocation)
      throws IOException {
    Page page = page(user, path, startAfter, needLocation);
    return page == null ? "none" : page.toString();
  }

  String batchedList(
      Model.User user, List<String> paths, int first, String startAfter, boolean needLocation) {
    StringBuilder text = new StringBuilder();
    String after = startAfter;
    int entries = 0;
    for (int i = first; i < paths.size(); i++) {
      text.append(i).append(": ");
      try {
        Page page = page(user, paths.get(i), after, needLocation);
        if (page == null) {
          throw new FileNotFoundException();
        }
        text.append(page).append('\n');
        entries += page.names.size();
        if (page.hasMore) {
          return text + "next " + i + " " + page.names.get(page.names.size() - 1);
        }
        if (entries >= Model.LIST_LIMIT && i < paths.size() - 1) {
          return text + "next " + i + " ";
        }
      } catch (IOException | RuntimeException e) {
        text.append(e.getClass().getName()).append('\n');
      }
      after = "";
    }
    return text.toString();
  }

  /** The first of them, by their ids. */
  String openFiles(Model.User user, long afterId, String below) throws IOException {
    needSuperuser(user);
    String top = new Path(below).toString();
    return model.root.all().stream()
        .filter(node -> node.writer != null && node.id > afterId)
        .filter(node -> (node.path() + "/").startsWith(top.equals("/") ? top : top + "/"))
        .sorted(Comparator.comparing(node -> node.id))
        .limit(Model.OPEN_FILES_LIMIT)
        .map(node -> node.path() + " " + node.writer)
        .collect(Collectors.joining(", "));
  }

  String access(Model.User user, String path, int access) throws IOException {
    need(user, model.existing(user, path), access);
    return "done";
  }

  String file(Model.User user, String path) throws IOException {
    Node node = model.existing(user, path);
    if (node.directory) {
      throw new FileNotFoundException();
    }
    need(user, node, READ);
    return describe(node, "");
  }

  String storagePolicy(Model.User user, String path) throws IOException {
    Node node = model.resolveLink(user, path, false).node();
    need(user, node, READ);
    if (node == null) {
      throw new FileNotFoundException();
    }
    if (node.target != null) {
      throw new UnsupportedOperationException();
    }
    return node.effectivePolicy() == null ? "HOT" : node.effectivePolicy();
  }

  String acl(Model.User user, String path) throws IOException {
    Node node = model.existing(user, path);
    return Integer.toOctalString(node.mode) + node.acl + node.defaults;
  }

  String xattrs(Model.User user, String path) throws IOException {
    Node node = model.resolve(user, path, false).node();
    need(user, node, READ);
    if (node == null) {
      throw new FileNotFoundException();
    }
    return node.xattrs.keySet().stream()
        .filter(name -> user.superuser() || name.startsWith("user."))
        .toList()
        .toString();
  }

  String xattr(Model.User user, String path, String name) throws IOException {
    if (name.startsWith("trusted.")) {
      needSuperuser(user);
    }
    xattrs(user, path);
    String value = model.existing(user, path).xattrs.get(name);
    if (value == null) {
      throw new XAttrNotFoundException();
    }
    return value;
  }

  String summary(Model.User user, String path) throws IOException {
    Node top = model.resolveLink(user, path, false).node();
    if (top == null) {
      throw new FileNotFoundException();
    }
    long files = 0;
    long directories = 0;
    long length = 0;
    for (Node node : top.all()) {
      if (node.directory) {
        need(user, node, READ | EXECUTE);
        directories++;
      } else {
        files++;
        length += node.length();
      }
    }
    return String.join(
        " ",
        String.valueOf(files),
        String.valueOf(directories),
        String.valueOf(length),
        String.valueOf(ModelQuotas.usage(top).get(ModelQuotas.SPACE)));
  }

  /** What is used of those quotas that are set, and of all when one is. */
  static String quotaUsage(Node node) {
    return node.quotas + " " + ModelQuotas.usage(node);
  }
}
