package io.acaciafs.namespace.check;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.check.Finding;
import io.acaciafs.kv.check.Question;
import io.acaciafs.kv.check.Repair;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.OpenFile;
import io.acaciafs.namespace.record.SplitJob;
import io.acaciafs.namespace.record.SweepJob;

/** Whether rows that lead to inodes lead to some. For one thread. */
final class IndexQuestions {
  private final Rows rows;
  private final Ancestors ancestors;
  private final SweptDirectories swept;

  IndexQuestions(Rows rows, Ancestors ancestors, SweptDirectories swept) {
    this.rows = rows;
    this.ancestors = ancestors;
    this.swept = swept;
  }

  /** Of a row that says where an inode is. */
  Question location(Key key) {
    long id = NamespaceKeys.idOf(key);
    return (reader, findings) -> {
      if (reader.get(key) != null
          && rows.inode(reader, id) == null
          && !rows.leadsToUnreadable(reader, id)) {
        findings.accept(
            Finding.stale(
                "dangling-location",
                "inode=" + id,
                "An inode id leads to another entry, or none.",
                tx -> tx.delete(key)));
      }
    };
  }

  /** Of the row of an open file. */
  Question openFile(Key key) {
    long id = NamespaceKeys.idOf(key);
    return (reader, findings) -> {
      byte[] row = reader.get(key);
      if (row == null || rows.leadsToUnreadable(reader, id)) {
        return;
      }
      Inode inode = rows.inode(reader, id);
      String writer =
          inode instanceof FileInode file && file.isUnderConstruction()
              ? file.leaseHolder().clientName()
              : null;
      OpenFile openFile = Rows.decoded(() -> OpenFile.decode(row));
      if (writer == null || openFile == null || !writer.equals(openFile.clientName())) {
        boolean isRecovering = openFile != null && openFile.isRecovering();
        Repair repair =
            writer == null
                ? tx -> tx.delete(key)
                : tx -> tx.put(key, new OpenFile(writer, isRecovering).encode());
        findings.accept(
            Finding.stale(
                "dangling-open-file",
                "inode=" + id,
                "A file counts as open that is not, or for another writer.",
                repair));
      }
    };
  }

  /** Of a directory that is to be swept away. */
  Question sweepJob(Key key) {
    return (reader, findings) -> {
      byte[] row = reader.get(key);
      if (row == null) {
        return;
      }
      SweepJob job = Rows.decoded(() -> SweepJob.decode(row));
      String subject = "job=" + NamespaceKeys.idOf(key);
      if (job == null) {
        findings.accept(Finding.damage("unreadable-job", subject, "A job cannot be read.", null));
      } else if (rows.inode(reader, job.directoryId()) instanceof DirectoryInode
          && ancestors.isInTree(reader, job.directoryId())) {
        findings.accept(
            Finding.damage(
                "sweep-of-live-directory",
                subject + " inode=" + job.directoryId(),
                "All that is in a directory is going to be removed, and the directory is there.",
                tx -> tx.delete(key)));
      }
    };
  }

  /**
   * Of a directory of which a bucket is being divided. The splitter or the sweeper removes the job
   * of a directory that was deleted meanwhile.
   */
  Question splitJob(Key key) {
    return (reader, findings) -> {
      byte[] row = reader.get(key);
      long id = NamespaceKeys.directoryOfSplit(key);
      if (row == null
          || rows.leadsToUnreadable(reader, id)
          || !swept.areAll()
          || swept.contains(id)) {
        return;
      }
      SplitJob job = Rows.decoded(() -> SplitJob.decode(row));
      boolean isOfUse =
          job != null
              && rows.inode(reader, id) instanceof DirectoryInode directory
              && directory.buckets().filling() == job.filling();
      if (!isOfUse) {
        findings.accept(
            Finding.stale(
                "dangling-split-job",
                "inode=" + id,
                "A bucket is to be divided further that is not being divided.",
                tx -> tx.delete(key)));
      }
    };
  }
}
