package io.acaciafs.namespace.model;

import static io.acaciafs.namespace.model.ModelPermissions.WRITE;
import static io.acaciafs.namespace.model.ModelPermissions.need;
import static io.acaciafs.namespace.model.ModelPermissions.needAncestor;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException;

/** What a writer does with the file that he has open. */
final class ModelFiles {
  private final Model model;

  ModelFiles(Model model) {
    this.model = model;
  }

  String create(
      Model.User user,
      String path,
      int mode,
      String client,
      boolean overwrite,
      boolean createParent)
      throws IOException {
    if (!Model.isValid(Model.split(path))
        || path.equals("/.reserved")
        || (path.startsWith("/.reserved/") && !path.startsWith("/.reserved/.inodes"))) {
      throw new InvalidPathException(path);
    }
    Model.Place place = model.resolve(user, path, true);
    needAncestor(user, place);
    if (place.exists()) {
      if (place.node().directory) {
        throw new FileAlreadyExistsException();
      }
      if (!overwrite) {
        if (place.node().writer != null) {
          model.recovery().take(place.node(), client);
        }
        throw new FileAlreadyExistsException();
      }
      need(user, place.node(), WRITE);
      model.remove(place.node());
    } else {
      if (!createParent && place.names().size() > 1 && place.parent() == null) {
        throw new FileNotFoundException();
      }
      ModelTree.checkNames(place);
    }
    ModelTree tree = model.tree();
    Node parent =
        place.exists()
            ? place.parent()
            : tree.addDirectories(user, place, place.names().size() - 1, place.ancestor().mode);
    Node file = tree.newNode(user, false, parent, mode, model.nowMs);
    if ("LAZY_PERSIST".equals(parent.effectivePolicy())) {
      file.policy = "LAZY_PERSIST"; // it must not change with the directory's
    }
    file.writer = client;
    file.replication = 3;
    model.add(parent, place.name(), file);
    model.renew(client);
    return "created";
  }

  private Node writable(Model.User user, String path, long fileId, String client)
      throws IOException {
    Node file = fileId == 0 ? model.resolve(user, path, false).node() : model.find(fileId);
    if (file == null) {
      throw new FileNotFoundException();
    }
    if (file.directory || !client.equals(file.writer)) {
      throw new LeaseExpiredException("");
    }
    return file;
  }

  private static boolean is(ModelBlock block, long id) {
    return block == null ? id == 0 : block.id == id;
  }

  /** The writer says that the last block is done. */
  private static void commit(ModelBlock last, long length) throws IOException {
    if (last.state == ModelBlock.State.RECOVERING
        || length < last.known
        || (last.state == ModelBlock.State.COMMITTED && length != last.known)) {
      throw new IOException();
    }
    last.commit(last.stamp, length);
  }

  /** Id 0 names no block; a block that is new gets id 0 here. */
  String addBlock(
      Model.User user, String path, long fileId, String client, long previous, long previousLength)
      throws IOException {
    Node file = writable(user, path, fileId, client);
    int count = file.blocks.size();
    ModelBlock penultimate = count < 2 ? null : file.blocks.get(count - 2);
    boolean behindFullBlock =
        previous == 0 && file.isLastCommitted() && file.last().length >= Model.BLOCK_SIZE;
    if (!is(file.last(), previous) && !behindFullBlock) {
      if (!is(penultimate, previous) || file.last().length != 0) {
        throw new IOException();
      }
      return "again";
    }
    if (count >= Model.MAX_BLOCKS) {
      throw new IOException();
    }
    if (previous != 0) {
      commit(file.last(), previousLength);
    }
    file.blocks.add(new ModelBlock());
    return "new";
  }

  String abandonBlock(Model.User user, String path, long fileId, String client, long block)
      throws IOException {
    Node file = writable(user, path, fileId, client);
    if (file.last() != null && is(file.last(), block)) {
      file.blocks.remove(file.last());
    }
    return "done";
  }

  String fsync(Model.User user, String path, long fileId, String client, long length)
      throws IOException {
    Node file = writable(user, path, fileId, client);
    if (file.last() != null) {
      file.last().length = Math.max(file.last().length, length);
    }
    return "done";
  }

  String complete(Model.User user, String path, long fileId, String client, long last, long length)
      throws IOException {
    Node closed = fileId == 0 ? model.resolve(user, path, false).node() : model.find(fileId);
    if (closed != null && closed.isFile() && closed.writer == null && is(closed.last(), last)) {
      return "true";
    }
    Node file = writable(user, path, fileId, client);
    if (file.last() != null) {
      if (last == 0 && !file.isLastCommitted()) {
        return "false";
      }
      if (is(file.last(), last)) {
        commit(file.last(), length);
      } else if (last != 0 && !file.isLastCommitted()) {
        throw new IOException();
      }
    }
    model.recovery().close(file);
    return "true";
  }
}
