package io.acaciafs.namespace.check;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.check.UnmendableException;
import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.DirectoryCounters;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.IdKind;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeLocation;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.RowKeyLayout;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts what is in no directory into {@code /lost+found}, which belongs to the superuser, as what it
 * gets does. Makes the folder where there is none.
 */
final class LostAndFound {
  private static final byte[] NAME = "lost+found".getBytes(StandardCharsets.UTF_8);
  private static final short MODE = 0700;
  private static final short FILE_MODE = 0600;
  private static final long SMALLEST_BLOCK_SIZE_BYTES = 1L << 20;

  private final Rows rows;
  private final Clock clock;

  LostAndFound(Rows rows, Clock clock) {
    this.rows = rows;
    this.clock = clock;
  }

  /** A directory whose entry is lost, and with it its attributes. */
  void addDirectory(Transaction transaction, long id, Locator locator, Buckets buckets) {
    Inode lost = new DirectoryInode(id, locator, attributes(transaction, MODE), buckets);
    put(transaction, name("directory-" + id), lost);
  }

  /** An inode that leaves the directory in which it is. */
  void move(Transaction transaction, Inode inode) {
    put(transaction, name("inode-" + inode.id()), inode);
  }

  /**
   * A file with one block that is in no other.
   *
   * @return its inode id
   */
  long addFile(Transaction transaction, FileBlock block, short replication) {
    long id = newId(transaction, 0);
    put(
        transaction,
        name("block-" + block.id()),
        new FileInode(
            id,
            attributes(transaction, FILE_MODE),
            replication,
            Math.max(SMALLEST_BLOCK_SIZE_BYTES, block.lengthBytes()),
            List.of(block),
            null));
    return id;
  }

  /**
   * @param which 0 or 1: two ids of one transaction, which does not see what it writes
   */
  private static long newId(Transaction transaction, int which) {
    long id = IdKind.INODE.reserve(transaction, 2) + which;
    if (transaction.get(NamespaceKeys.inode(id)) != null) {
      throw new UnmendableException("Ids are given out that are in use");
    }
    return id;
  }

  private static byte[] name(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private Inode.Attributes attributes(Transaction transaction, short mode) {
    Inode.Attributes root = root(transaction).attributes();
    return new Inode.Attributes(root.owner(), root.group(), mode, clock.millis(), 0);
  }

  private DirectoryInode root(Transaction transaction) {
    if (rows.decode(transaction.unguarded(), transaction.get(Rows.ROOT))
        instanceof DirectoryInode root) {
      return root;
    }
    throw new UnmendableException("The root cannot be read");
  }

  private void put(Transaction transaction, byte[] name, Inode inode) {
    DirectoryInode folder = folder(transaction);
    if (find(transaction, folder, name) != null) {
      throw new UnmendableException("There is something of this name in /lost+found");
    }
    add(transaction, folder, name, inode);
  }

  private DirectoryInode folder(Transaction transaction) {
    DirectoryInode root = root(transaction);
    byte[] row = find(transaction, root, NAME);
    if (row != null) {
      if (rows.decode(transaction.unguarded(), row) instanceof DirectoryInode folder) {
        return folder;
      }
      throw new UnmendableException("/lost+found is no directory");
    }
    long id = newId(transaction, 1);
    RowKeyLayout layout = RowKeyLayout.decode(transaction.get(NamespaceKeys.layout()));
    DirectoryInode folder =
        new DirectoryInode(id, layout.locate(root, id), attributes(transaction, MODE));
    add(transaction, root, NAME, folder);
    return folder;
  }

  private static byte @Nullable [] find(
      Transaction transaction, DirectoryInode directory, byte[] name) {
    Buckets buckets = directory.buckets();
    byte[] row = transaction.get(key(directory, buckets.formerOf(name), name));
    return row == null ? transaction.get(key(directory, buckets.of(name), name)) : row;
  }

  private void add(Transaction transaction, DirectoryInode directory, byte[] name, Inode inode) {
    int bucket = directory.buckets().of(name);
    transaction.put(key(directory, bucket, name), rows.encode(transaction, inode));
    transaction.put(
        NamespaceKeys.inode(inode.id()), new InodeLocation(directory.locator(), name).encode());
    transaction.add(
        NamespaceKeys.counters(directory.locator(), bucket),
        DirectoryCounters.delta(1, clock.millis()));
  }

  private static Key key(DirectoryInode directory, int bucket, byte[] name) {
    return NamespaceKeys.entry(directory.locator(), bucket, name);
  }
}
