package io.acaciafs.namespace.model;

import io.acaciafs.namespace.context.FileBlocks;
import io.acaciafs.namespace.op.block.AbandonBlock;
import io.acaciafs.namespace.op.block.AddBlock;
import io.acaciafs.namespace.op.file.CompleteFile;
import io.acaciafs.namespace.op.file.CreateFile;
import io.acaciafs.namespace.op.file.Fsync;
import java.util.EnumSet;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.Block;

/** What a writer does with the file that he has open. */
record FileSteps(Draws draws) {
  Step create(Draws.Who who, String path) {
    short mode = (short) (draws.mode() & 0777);
    String client = draws.client();
    boolean overwrite = draws.random().nextBoolean();
    boolean createParent = draws.random().nextInt(4) > 0;
    EnumSet<CreateFlag> flags = EnumSet.of(CreateFlag.CREATE);
    if (overwrite) {
      flags.add(CreateFlag.OVERWRITE);
    }
    return Step.of(
        "create " + path + " " + client + " " + overwrite + " " + createParent,
        who.caller(),
        new CreateFile(
            path, new FsPermission(mode), client, flags, createParent, (short) 3, Model.BLOCK_SIZE),
        status -> {
          draws.ids().add(status.inode().id());
          return "created";
        },
        m -> m.files().create(who.user(), path, mode, client, overwrite, createParent));
  }

  /** Mostly the last block of a file. */
  private ModelBlock blockOf(Node file, int skip) {
    int index = file.blocks.size() - 1 - skip;
    return index < 0 ? null : file.blocks.get(index);
  }

  private static long idOf(ModelBlock block) {
    return block == null ? 0 : block.id;
  }

  private static Block block(ModelBlock block, long length) {
    return block == null ? null : new Block(block.id, length, block.stamp);
  }

  /** One that the DataNodes may have, or none. */
  private long length(ModelBlock block) {
    return block != null && draws.once(2) ? block.known : draws.random().nextInt(1025);
  }

  Step addBlock(Draws.Who who) {
    Draws.Target target = draws.target();
    ModelBlock last = draws.once(8) ? null : blockOf(target.file(), draws.random().nextInt(8) / 6);
    long previous = idOf(last);
    boolean isDone = last != null && last.state == ModelBlock.State.COMMITTED;
    long length = draws.once(3) || isDone ? length(last) : Model.BLOCK_SIZE;
    return Step.of(
        "addBlock "
            + target.path()
            + " "
            + target.id()
            + " "
            + target.client()
            + " after "
            + previous,
        who.caller(),
        new AddBlock(
            target.path(),
            target.id(),
            target.client(),
            block(last, length),
            FileBlocks.Wishes.NONE),
        located -> {
          long id = located.getBlock().getBlockId();
          return draws.model().root.all().stream()
                  .anyMatch(node -> node.blocks.stream().anyMatch(block -> block.id == id))
              ? "again"
              : "new";
        },
        m ->
            m.files()
                .addBlock(
                    who.user(), target.path(), target.id(), target.client(), previous, length));
  }

  Step complete(Draws.Who who) {
    Draws.Target target = draws.target();
    ModelBlock block =
        draws.once(8) ? null : blockOf(target.file(), draws.random().nextInt(10) / 9);
    long last = idOf(block);
    long length = length(block);
    return Step.of(
        "complete " + target.path() + " " + target.id() + " " + target.client() + " last " + last,
        who.caller(),
        new CompleteFile(target.path(), target.id(), target.client(), block(block, length)),
        String::valueOf,
        m ->
            m.files()
                .complete(who.user(), target.path(), target.id(), target.client(), last, length));
  }

  Step abandon(Draws.Who who) {
    Draws.Target target = draws.target();
    long block = idOf(blockOf(target.file(), draws.random().nextInt(4) / 3));
    return Step.of(
        "abandon " + target.path() + " " + target.id() + " " + target.client() + " " + block,
        who.caller(),
        new AbandonBlock(target.path(), target.id(), target.client(), block),
        nothing -> "done",
        m ->
            m.files().abandonBlock(who.user(), target.path(), target.id(), target.client(), block));
  }

  Step fsync(Draws.Who who) {
    Draws.Target target = draws.target();
    ModelBlock last = target.file().last();
    boolean isWritten = last != null && last.state == ModelBlock.State.WRITTEN;
    long length = isWritten ? draws.random().nextInt(1024) - 1 : -1;
    return Step.of(
        "fsync " + target.path() + " " + target.id() + " " + target.client() + " " + length,
        who.caller(),
        new Fsync(target.path(), target.id(), target.client(), length),
        nothing -> "done",
        m -> m.files().fsync(who.user(), target.path(), target.id(), target.client(), length));
  }
}
