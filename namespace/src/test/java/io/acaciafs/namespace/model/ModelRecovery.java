package io.acaciafs.namespace.model;

import static io.acaciafs.namespace.model.ModelPermissions.WRITE;
import static io.acaciafs.namespace.model.ModelPermissions.need;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.RecoveryInProgressException;
import org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException;

/** Files lose their writers, and blocks their pipelines. */
final class ModelRecovery {
  private final Model model;

  ModelRecovery(Model model) {
    this.model = model;
  }

  void close(Node file) {
    file.writer = null;
    file.mtimeMs = model.nowMs;
  }

  private boolean closeIfPossible(Node file) {
    if (file.last() == null || file.isLastCommitted()) {
      close(file);
      return true;
    }
    return false;
  }

  /** Another client wants it. A recovery that begins goes on although he is refused. */
  void take(Node file, String client) throws IOException {
    if (file.writer.equals(client)) {
      throw new AlreadyBeingCreatedException("");
    }
    if (!model.isSoftExpired(file.writer)) {
      throw file.isRecovering()
          ? new RecoveryInProgressException("")
          : new AlreadyBeingCreatedException("");
    }
    if (!closeIfPossible(file)) {
      file.last().recover(0);
      model.renew(file.writer);
      throw new RecoveryInProgressException("");
    }
  }

  private boolean release(Node file, String newHolder) {
    if (closeIfPossible(file)) {
      return true;
    }
    file.last().recover(0);
    file.writer = newHolder;
    return false;
  }

  String recoverLease(Model.User user, String path, String client) throws IOException {
    Node file = model.existing(user, path);
    if (file.directory) {
      throw new FileNotFoundException();
    }
    if (file.writer == null) {
      return "true";
    }
    need(user, file, WRITE);
    boolean isClosed = release(file, client);
    if (!isClosed) {
      model.renew(client);
    }
    return String.valueOf(isClosed);
  }

  /** The NameNode looks after an open file. */
  String releaseLease(long fileId) {
    Node file = model.find(fileId);
    if (file == null || file.directory || file.writer == null) {
      return "true";
    }
    if (file.writer.equals(Model.NAMENODE_HOLDER) || file.isRecovering()) {
      return String.valueOf(release(file, file.writer));
    }
    return String.valueOf(model.isHardExpired(file.writer) && release(file, Model.NAMENODE_HOLDER));
  }

  private Node fileOf(long block) {
    return model.root.all().stream()
        .filter(node -> node.blocks.stream().anyMatch(one -> one.id == block))
        .findFirst()
        .orElse(null);
  }

  /** A DataNode has recovered a block; a length less than 0: nothing of it was there. */
  String commitBlockSynchronization(long block, long recoveryId, long length) throws IOException {
    Node file = fileOf(block);
    if (file == null) {
      if (length < 0) {
        return "done";
      }
      throw new IOException();
    }
    boolean isLast = file.last().id == block;
    if (file.writer == null || !isLast || file.isLastCommitted()) {
      return "done";
    }
    if (file.last().recoveryId != recoveryId) {
      throw new IOException();
    }
    if (length < 0) {
      file.blocks.remove(file.last());
    } else {
      file.last().commit(recoveryId, length);
    }
    close(file);
    return "done";
  }

  private ModelBlock written(long block, String client) throws IOException {
    Node file = fileOf(block);
    if (file == null
        || file.writer == null
        || file.last().id != block
        || file.last().state != ModelBlock.State.WRITTEN) {
      throw new IOException();
    }
    if (!file.writer.equals(client)) {
      throw new LeaseExpiredException("");
    }
    return file.last();
  }

  String updateBlockForPipeline(long block, String client) throws IOException {
    return String.valueOf(++written(block, client).issued);
  }

  String updatePipeline(long block, String client, long stamp, long length) throws IOException {
    ModelBlock last = written(block, client);
    if (stamp <= last.stamp || length < last.length) {
      throw new IOException();
    }
    last.stamp = stamp;
    last.issued = Math.max(last.issued, stamp);
    last.length = length;
    last.known = length;
    return "done";
  }
}
