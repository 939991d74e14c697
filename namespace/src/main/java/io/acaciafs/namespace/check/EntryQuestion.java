package io.acaciafs.namespace.check;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.check.Finding;
import io.acaciafs.kv.check.Question;
import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.DirectoryCounters;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeLocation;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.OpenFile;
import io.acaciafs.namespace.record.QuotaCounts;
import io.acaciafs.namespace.record.SplitJob;
import io.acaciafs.namespace.record.SymlinkInode;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Whether an entry is what it should be, in its bucket, and found by what leads to it. */
final class EntryQuestion implements Question {
  private final Rows rows;
  private final BlocksOfStore blocks;
  private final Ancestors ancestors;
  private final Key key;

  EntryQuestion(Rows rows, BlocksOfStore blocks, Ancestors ancestors, Key key) {
    this.rows = rows;
    this.blocks = blocks;
    this.ancestors = ancestors;
    this.key = key;
  }

  @Override
  public void ask(Reader reader, Consumer<Finding> findings) {
    byte[] row = reader.get(key);
    if (row != null) {
      Inode inode = rows.decode(reader, row);
      DirectoryInode home =
          key.equals(Rows.ROOT) ? null : rows.directory(reader, NamespaceKeys.directoryOf(key));
      ask(reader, inode, home, findings);
    }
  }

  /**
   * The same for a caller that has read these already.
   *
   * @param inode null: it cannot be read
   * @param home the directory that it is in; null where that is out of reach
   */
  void ask(
      Reader reader,
      @Nullable Inode inode,
      @Nullable DirectoryInode home,
      Consumer<Finding> findings) {
    if (inode == null) {
      findings.accept(
          Finding.damage("unreadable-entry", place(), "The row of an entry is no inode.", null));
      return;
    }
    if (!key.equals(Rows.ROOT)) {
      if (home != null) {
        askBucket(reader, inode, home, findings);
      }
      askLocation(reader, inode, findings);
    }
    if (inode instanceof FileInode file) {
      askOpenFile(reader, file, findings);
      new FileBlocksQuestion(rows, blocks).ask(reader, file, subject(inode), findings);
    } else if (inode instanceof DirectoryInode directory) {
      askDirectory(reader, directory, findings);
    } else if (inode instanceof SymlinkInode link && link.target().isEmpty()) {
      findings.accept(
          Finding.damage("no-target", subject(inode), "A symbolic link leads nowhere.", null));
    }
  }

  private String place() {
    return key.equals(Rows.ROOT)
        ? "directory=0 name="
        : "directory="
            + NamespaceKeys.directoryOf(key).directoryId()
            + " name="
            + Rows.text(NamespaceKeys.nameOf(key));
  }

  private String subject(Inode inode) {
    return "inode=" + inode.id() + ' ' + place();
  }

  private void askBucket(
      Reader reader, Inode inode, DirectoryInode home, Consumer<Finding> findings) {
    byte[] name = NamespaceKeys.nameOf(key);
    int bucket = NamespaceKeys.bucketOf(key);
    Buckets buckets = home.buckets();
    boolean isItsOwn = buckets.of(name) == bucket;
    if (isItsOwn && buckets.filling() == 0) {
      return;
    }
    if (!isItsOwn && buckets.formerOf(name) != bucket) {
      Key right = NamespaceKeys.entry(home.locator(), buckets.of(name), name);
      boolean isFree = reader.get(right) == null;
      findings.accept(
          Finding.damage(
              "wrong-bucket",
              subject(inode) + " bucket=" + bucket,
              "An entry is in a bucket in which nobody looks for it"
                  + (isFree ? "." : ", and where it should be there is another one."),
              isFree ? tx -> moveTo(tx, entryRow(reader), right) : null));
    } else if (!isItsOwn
        && reader.get(NamespaceKeys.entry(home.locator(), buckets.of(name), name)) != null) {
      findings.accept(
          Finding.damage(
              "name-twice",
              subject(inode) + " bucket=" + bucket,
              "A name is in the bucket that is divided, and in the new one as well.",
              null));
    }
  }

  private byte[] entryRow(Reader reader) {
    return Objects.requireNonNull(reader.get(key), "the entry was there");
  }

  private void moveTo(Transaction tx, byte[] row, Key right) {
    Locator directory = NamespaceKeys.directoryOf(key);
    tx.put(right, row);
    tx.delete(key);
    tx.add(
        NamespaceKeys.counters(directory, NamespaceKeys.bucketOf(key)),
        DirectoryCounters.moved(-1));
    tx.add(
        NamespaceKeys.counters(directory, NamespaceKeys.bucketOf(right)),
        DirectoryCounters.moved(1));
  }

  private void askLocation(Reader reader, Inode inode, Consumer<Finding> findings) {
    Locator directory = NamespaceKeys.directoryOf(key);
    byte[] name = NamespaceKeys.nameOf(key);
    Key index = NamespaceKeys.inode(inode.id());
    byte[] row = reader.get(index);
    InodeLocation location = row == null ? null : Rows.decoded(() -> InodeLocation.decode(row));
    if (location != null
        && location.directory().equals(directory)
        && Arrays.equals(location.name(), name)) {
      return;
    }
    byte[] right = new InodeLocation(directory, name).encode();
    if (row == null) {
      findings.accept(
          Finding.damage(
              "no-location",
              subject(inode),
              "An entry is not found by its inode id.",
              tx -> tx.put(index, right)));
      return;
    }
    Inode other = location == null ? null : rows.entryAt(reader, location);
    boolean isTwice = other != null && other.id() == inode.id();
    findings.accept(
        isTwice
            ? Finding.damage(
                "inode-twice",
                subject(inode),
                "An inode is in another place as well, where its id leads to.",
                null)
            : Finding.damage(
                "wrong-location",
                subject(inode),
                "The id of an inode leads to a place where it is not.",
                rows.leadsToUnreadable(reader, inode.id()) ? null : tx -> tx.put(index, right)));
  }

  private void askOpenFile(Reader reader, FileInode file, Consumer<Finding> findings) {
    if (file.isUnderConstruction() && reader.get(NamespaceKeys.openFile(file.id())) == null) {
      findings.accept(
          Finding.damage(
              "no-open-file",
              subject(file),
              "A file is being written, and nobody will close it when its writer is gone.",
              tx ->
                  tx.put(
                      NamespaceKeys.openFile(file.id()),
                      new OpenFile(file.leaseHolder().clientName(), false).encode())));
    }
  }

  private void askDirectory(Reader reader, DirectoryInode directory, Consumer<Finding> findings) {
    if (directory.locator().directoryId() != directory.id()) {
      findings.accept(
          Finding.damage(
              "wrong-locator",
              subject(directory),
              "A directory has the locator of another one.",
              null));
      return;
    }
    Buckets buckets = directory.buckets();
    if (!buckets.equals(Rows.header(reader, directory.locator()))) {
      Key header = NamespaceKeys.header(directory.locator());
      findings.accept(
          Finding.damage(
              "wrong-header",
              subject(directory),
              "The header of a directory says otherwise than its inode which buckets there are.",
              tx -> {
                if (buckets.isOne()) {
                  tx.delete(header);
                } else {
                  tx.put(header, buckets.encode());
                }
              }));
    }
    if (buckets.filling() != 0) {
      askSplit(reader, directory, findings);
    }
    Key usage = NamespaceKeys.quotaUsage(directory.id());
    if (directory.features().quota().isSet() && reader.get(usage) == null) {
      findings.accept(
          Finding.damage(
              "no-quota-usage",
              subject(directory),
              "Nothing is known of what is used of the quota of a directory.",
              // what is used is counted when the table of these rows is looked at
              tx -> tx.put(usage, QuotaCounts.ZERO.toCounters().encode())));
    }
  }

  private void askSplit(Reader reader, DirectoryInode directory, Consumer<Finding> findings) {
    Key key = NamespaceKeys.splitJob(directory.id());
    byte[] row = reader.get(key);
    SplitJob job = row == null ? null : Rows.decoded(() -> SplitJob.decode(row));
    int filling = directory.buckets().filling();
    boolean isGoneOnWith = job != null && job.filling() == filling;
    // nobody divides what is out of the tree, and its rows may wait long for the sweeper
    if (!isGoneOnWith && ancestors.isInTree(reader, directory.id())) {
      findings.accept(
          Finding.damage(
              "no-split-job",
              subject(directory),
              "A bucket of a directory is being divided, and nobody goes on with that.",
              tx -> tx.put(key, new SplitJob(directory.id(), filling, new byte[0]).encode())));
    }
  }
}
