package io.acaciafs.namespace.model;

import static io.acaciafs.namespace.model.ModelPermissions.EXECUTE;
import static io.acaciafs.namespace.model.ModelPermissions.need;
import static io.acaciafs.namespace.model.ModelPermissions.needAncestor;
import static io.acaciafs.namespace.model.ModelPermissions.needRemove;
import static io.acaciafs.namespace.model.ModelPermissions.needRemoveBelow;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;

/** Directories come, things move and go. */
final class ModelTree {
  private final Model model;

  ModelTree(Model model) {
    this.model = model;
  }

  static void checkNames(Model.Place place) {
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

  Node addDirectories(Model.User user, Model.Place place, int count, int mode) {
    Node node = place.nodes().get(place.nodes().size() - 1);
    for (String name : place.names().subList(place.nodes().size() - 1, count)) {
      Node child = newNode(user, true, node, (mode & 0777) | 0300, 0);
      model.add(node, name, child);
      node = child;
    }
    return node;
  }

  Node newNode(Model.User user, boolean directory, Node parent, int mode, long atimeMs) {
    Node child = new Node(directory, user.name(), parent.group, mode, model.nowMs, atimeMs);
    ModelAcls.inherit(parent, child);
    return child;
  }

  String mkdirs(Model.User user, String path, int mode, boolean createParent) throws IOException {
    Model.Place place = model.resolve(user, path, true);
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
    model.add(parent, place.name(), newNode(user, true, parent, mode, 0));
    return "true";
  }

  String createSymlink(Model.User user, String target, String path, int mode, boolean createParent)
      throws IOException {
    if (!Model.isValid(Model.split(path))) {
      throw new InvalidPathException(path);
    }
    if (target.equals("/.reserved") || target.startsWith("/.reserved/")) {
      throw new InvalidPathException(target);
    }
    Model.Place place = model.resolveLink(user, path, false);
    if (!createParent && place.names().size() > 1 && place.parent() == null) {
      throw new FileNotFoundException();
    }
    if (place.exists()) {
      throw new IOException();
    }
    needAncestor(user, place);
    checkNames(place);
    Node parent = addDirectories(user, place, place.names().size() - 1, mode);
    Node link = new Node(false, user.name(), parent.group, 0777, model.nowMs, model.nowMs);
    link.target = target;
    model.add(parent, place.name(), link);
    return "created";
  }

  String delete(Model.User user, String path, boolean recursive) throws IOException {
    Model.checkNotReserved(path);
    Model.Place place = model.resolveLink(user, path, false);
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
    model.remove(place.node());
    return "true";
  }

  String rename(Model.User user, String source, String destination) throws IOException {
    Model.Place from = model.resolveLink(user, source, false);
    Model.Place to = model.resolveLink(user, destination, true);
    if (to.exists() && to.node().directory && !from.names().isEmpty()) {
      List<String> names = new ArrayList<>(to.names());
      names.add(from.name());
      needRemove(user, from);
      need(user, to.node(), EXECUTE);
      to = model.place(names);
    }
    needRemove(user, from);
    needAncestor(user, to);
    if (!from.exists() || from.names().isEmpty()) {
      return "false";
    }
    if (from.path().equals(to.path())) {
      return "true";
    }
    if (to.path().equals(from.node().target) || to.path().startsWith(from.path() + "/")) {
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

  String rename2(
      Model.User user, String source, String destination, boolean overwrite, boolean toTrash)
      throws IOException {
    Model.Place from = model.resolveLink(user, source, false);
    Model.Place to = model.resolveLink(user, destination, true);
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
    if (to.path().equals(from.node().target)) {
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
      model.remove(to.node());
    }
    move(from, to);
    return "done";
  }

  private void move(Model.Place from, Model.Place to) {
    checkNames(to);
    Node node = from.node();
    model.remove(node);
    model.add(to.parent(), to.name(), node);
  }
}
