package io.acaciafs.namespace.check;

import io.acaciafs.kv.Reader;
import io.acaciafs.kv.check.Finding;
import io.acaciafs.namespace.check.BlocksOfStore.Known;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import java.util.function.Consumer;

/** Whether the blocks of a file know that they are its. */
final class FileBlocksQuestion {
  private final Rows rows;
  private final BlocksOfStore blocks;

  FileBlocksQuestion(Rows rows, BlocksOfStore blocks) {
    this.rows = rows;
    this.blocks = blocks;
  }

  void ask(Reader reader, FileInode file, String subject, Consumer<Finding> findings) {
    for (FileBlock block : file.blocks()) {
      Known known = blocks.read(reader, block.id());
      String of = "block=" + block.id() + ' ' + subject;
      if (known == null) {
        boolean isBeingWritten = file.isUnderConstruction() && block.equals(file.lastBlock());
        findings.accept(
            Finding.damage(
                "no-block",
                of,
                "A file has a block of which nothing else is known; DataNodes that hold it delete"
                    + " it when they report it.",
                tx -> blocks.restore(tx, file, block, isBeingWritten)));
      } else if (known.fileId() != file.id()) {
        boolean isTwice = rows.lists(reader, known.fileId(), block.id());
        boolean isCertain = !isTwice && !rows.leadsToUnreadable(reader, known.fileId());
        findings.accept(
            Finding.damage(
                isTwice ? "block-of-two-files" : "block-of-another-file",
                of,
                "A block of this file belongs to inode " + known.fileId() + " by its own row.",
                isCertain ? tx -> blocks.assign(tx, file, block.id()) : null));
      } else if (known.replication() != file.replication()) {
        findings.accept(
            Finding.damage(
                "block-replication",
                of,
                "A file wants "
                    + file.replication()
                    + " replicas, and its block wants "
                    + known.replication()
                    + ".",
                tx -> blocks.assign(tx, file, block.id())));
      } else if (!file.isUnderConstruction() && differs(known, block)) {
        findings.accept(
            Finding.damage(
                "block-differs",
                of,
                "A file is closed, and its block has another length or stamp there than in its own"
                    + " row, or is still being written.",
                null));
      }
    }
  }

  private static boolean differs(Known known, FileBlock block) {
    return !known.isCommitted()
        || known.generationStamp() != block.generationStamp()
        || known.lengthBytes() != block.lengthBytes();
  }
}
