package io.acaciafs.namespace.model;

import static io.acaciafs.namespace.model.ModelPermissions.READ;
import static io.acaciafs.namespace.model.ModelPermissions.WRITE;
import static io.acaciafs.namespace.model.ModelPermissions.need;
import static io.acaciafs.namespace.model.ModelPermissions.needRemove;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;

/** Files that were closed are written on, cut and joined. */
final class ModelChanges {
  private final Model model;

  ModelChanges(Model model) {
    this.model = model;
  }

  private Node file(Model.User user, String path, int access) throws IOException {
    Node node = model.resolve(user, path, false).node();
    need(user, node, access);
    if (node == null || node.directory) {
      throw new FileNotFoundException();
    }
    return node;
  }

  private static void checkNotLazy(Node file) {
    if ("LAZY_PERSIST".equals(file.effectivePolicy())) {
      throw new UnsupportedOperationException();
    }
  }

  /** Answers with the block to write on, and the one to go on behind. */
  String append(Model.User user, String path, String client, boolean newBlock) throws IOException {
    Node there = model.resolve(user, path, false).node();
    if (there != null && there.directory) {
      throw new FileAlreadyExistsException();
    }
    Node file = file(user, path, WRITE);
    checkNotLazy(file);
    if (file.writer != null) {
      model.recovery().take(file, client);
    }
    ModelBlock last = file.last();
    boolean reopened = !newBlock && last != null && last.length != Model.BLOCK_SIZE;
    if (reopened) {
      last.state = ModelBlock.State.WRITTEN;
    }
    file.writer = client;
    model.renew(client);
    return "appended " + (reopened ? last.id : 0) + " " + (newBlock && last != null ? last.id : 0);
  }

  String truncate(Model.User user, String path, long length, String client) throws IOException {
    if (length < 0) {
      throw new HadoopIllegalArgumentException("");
    }
    Node file = file(user, path, WRITE);
    checkNotLazy(file);
    if (file.isRecovering() && file.last().truncateTo > 0) {
      if (length == file.length() - file.last().length + file.last().truncateTo) {
        return "false";
      }
      throw new AlreadyBeingCreatedException("");
    }
    String writer = file.writer;
    long mtimeMs = file.mtimeMs;
    if (writer != null) {
      model.recovery().take(file, client);
    }
    if (length > file.length()) {
      file.writer = writer;
      file.mtimeMs = mtimeMs;
      throw new HadoopIllegalArgumentException("");
    }
    if (length == file.length()) {
      return "true";
    }
    file.mtimeMs = model.nowMs;
    while (file.length() - file.last().length >= length) {
      file.blocks.remove(file.last());
      if (file.blocks.isEmpty()) {
        return "true";
      }
    }
    if (file.length() == length) {
      return "true";
    }
    ModelBlock last = file.last();
    last.recover(last.length - (file.length() - length));
    file.writer = client;
    model.renew(client);
    return "false";
  }

  String concat(Model.User user, String target, List<String> sources) throws IOException {
    if (Model.isBelowInodes(Model.split(target))
        || sources.stream().anyMatch(source -> Model.isBelowInodes(Model.split(source)))) {
      throw new IOException();
    }
    Node to = file(user, target, WRITE);
    if (to.writer != null) {
      throw new HadoopIllegalArgumentException("");
    }
    List<Node> from = new ArrayList<>();
    for (String source : sources) {
      Model.Place place = model.resolve(user, source, false);
      need(user, place.node(), READ);
      needRemove(user, place);
      Node node = file(user, source, READ);
      if (node.parent != to.parent || node == to || node.writer != null || node.blocks.isEmpty()) {
        throw new HadoopIllegalArgumentException("");
      }
      from.add(node);
    }
    if (from.stream().distinct().count() < from.size()) {
      throw new HadoopIllegalArgumentException("");
    }
    for (Node node : from) {
      to.blocks.addAll(node.blocks);
      model.remove(node);
    }
    to.mtimeMs = model.nowMs;
    return "done";
  }
}
