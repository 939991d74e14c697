package io.acaciafs.namespace.model;

import io.acaciafs.namespace.op.block.CommitBlockSynchronization;
import io.acaciafs.namespace.op.block.UpdateBlockForPipeline;
import io.acaciafs.namespace.op.block.UpdatePipeline;
import io.acaciafs.namespace.op.file.AppendFile;
import io.acaciafs.namespace.op.file.ConcatFiles;
import io.acaciafs.namespace.op.file.TruncateFile;
import io.acaciafs.namespace.op.lease.RecoverLease;
import io.acaciafs.namespace.op.lease.ReleaseLease;
import io.acaciafs.namespace.record.OpenFile;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeID;

/** Files are written on, cut and joined; writers and pipelines break. */
record ChangeSteps(Draws draws) {
  private static final DatanodeID NODE =
      new DatanodeID("127.0.0.1", "localhost", "uuid", 9866, 9864, 9865, 9867);

  Step append(Draws.Who who, String any) {
    String path = draws.pathOf(any, node -> !node.directory);
    String client = draws.client();
    boolean newBlock = draws.once(3);
    return Step.of(
        "append " + path + " " + client + " " + newBlock,
        who.caller(),
        new AppendFile(path, client, newBlock),
        appended ->
            "appended "
                + (appended.reopened() == null ? 0 : appended.reopened().getBlock().getBlockId())
                + " "
                + (appended.previous() == null ? 0 : appended.previous().id()),
        m -> m.changes().append(who.user(), path, client, newBlock));
  }

  Step truncate(Draws.Who who, String path) {
    String client = draws.client();
    Node file = draws.nodeOr(null, node -> !node.directory && !node.blocks.isEmpty());
    String cut = file == null ? path : file.path();
    long length = file == null ? draws.random().nextInt(2000) - 20 : lengthOf(file);
    return Step.of(
        "truncate " + cut + " " + length + " " + client,
        who.caller(),
        new TruncateFile(cut, length, client),
        String::valueOf,
        m -> m.changes().truncate(who.user(), cut, length, client));
  }

  /** At the end of a block, somewhere, or a little too much. */
  private long lengthOf(Node file) {
    if (draws.once(2)) {
      return draws.random().nextInt((int) file.length() + 3);
    }
    int blocks = draws.random().nextInt(file.blocks.size() + 1);
    return file.blocks.stream().limit(blocks).mapToLong(block -> block.length).sum();
  }

  /** Mostly files of one directory that can be joined. */
  Step concat(Draws.Who who, String any) {
    Predicate<Node> closed = node -> !node.directory && node.writer == null;
    Predicate<Node> full = closed.and(node -> !node.blocks.isEmpty());
    Node folder =
        draws.nodeOr(
            draws.model().root, node -> node.children.values().stream().filter(full).count() > 1);
    Predicate<Node> inFolder = node -> node.parent == folder;
    String target = draws.pathOf(any, inFolder.and(closed));
    Predicate<Node> other = full.and(node -> draws.once(8) || !node.path().equals(target));
    List<String> sources = new ArrayList<>();
    for (int i = draws.random().nextInt(2) + 1; i > 0; i--) {
      sources.add(draws.pathOf(draws.path(), inFolder.and(other)));
    }
    return Step.of(
        "concat " + target + " " + sources,
        who.caller(),
        new ConcatFiles(target, sources),
        nothing -> "done",
        m -> m.changes().concat(who.user(), target, sources));
  }

  Step recoverLease(Draws.Who who) {
    Draws.Target target = draws.target();
    String client = draws.client();
    return Step.of(
        "recoverLease " + target.path() + " " + client,
        who.caller(),
        new RecoverLease(target.path(), client),
        String::valueOf,
        m -> m.recovery().recoverLease(who.user(), target.path(), client));
  }

  Step releaseLease() {
    Draws.Target target = draws.target();
    OpenFile seen = new OpenFile(target.client(), target.file().isRecovering());
    return Step.of(
        "releaseLease " + target.id(),
        NamespaceFixture.SUPERUSER,
        new ReleaseLease(target.id(), seen),
        String::valueOf,
        m -> m.recovery().releaseLease(target.id()));
  }

  Step commitBlockSynchronization() {
    Node file = draws.nodeOr(null, Node::isRecovering);
    Node any = file != null ? file : draws.nodeOr(null, node -> node.last() != null);
    ModelBlock block = any == null ? new ModelBlock() : any.last();
    long id = block.id;
    long stamp = draws.once(8) ? block.stamp : block.recoveryId;
    long length =
        draws.once(6) ? -1 : block.truncateTo > 0 ? block.truncateTo : draws.random().nextInt(1025);
    return Step.of(
        "commitBlockSynchronization " + id + " " + stamp + " " + length,
        NamespaceFixture.SUPERUSER,
        new CommitBlockSynchronization(
            new Block(id, block.length, block.stamp),
            stamp,
            length,
            true,
            length < 0,
            List.of(NODE),
            List.of("storage")),
        nothing -> "done",
        m -> m.recovery().commitBlockSynchronization(id, stamp, length));
  }

  private static boolean isWritten(Node node) {
    return node.writer != null
        && node.last() != null
        && node.last().state == ModelBlock.State.WRITTEN;
  }

  Step updateBlockForPipeline(Draws.Who who) {
    Node file = draws.nodeOr(draws.target().file(), ChangeSteps::isWritten);
    String client = file.writer == null || draws.once(8) ? draws.client() : file.writer;
    ModelBlock last = file.last() == null ? new ModelBlock() : file.last();
    long id = last.id;
    return Step.of(
        "updateBlockForPipeline " + id + " " + client,
        who.caller(),
        new UpdateBlockForPipeline(new Block(id, last.length, last.stamp), client),
        located -> String.valueOf(located.getBlock().getGenerationStamp()),
        m -> m.recovery().updateBlockForPipeline(id, client));
  }

  Step updatePipeline(Draws.Who who) {
    Node file = draws.nodeOr(draws.target().file(), ChangeSteps::isWritten);
    String client = file.writer == null || draws.once(8) ? draws.client() : file.writer;
    ModelBlock last = file.last() == null ? new ModelBlock() : file.last();
    long id = last.id;
    long stamp = draws.once(6) ? last.stamp : last.issued;
    long length = draws.once(4) ? draws.random().nextInt(1025) : last.length;
    return Step.of(
        "updatePipeline " + id + " " + client + " " + stamp + " " + length,
        who.caller(),
        new UpdatePipeline(
            client,
            new Block(id, last.length, last.stamp),
            new Block(id, length, stamp),
            List.of(NODE),
            List.of("storage")),
        nothing -> "done",
        m -> m.recovery().updatePipeline(id, client, stamp, length));
  }
}
