package io.acaciafs.namespace.context;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.VersionedRow;
import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.DirectoryCounters;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * In which bucket of its directory an entry lies, as one transaction sees it. Nobody else needs to
 * know. What a directory's inode says of its buckets is guarded by the operation that followed a
 * path to it, so an operation with an old view of them meets a conflict, and sees the new one when
 * it runs again.
 *
 * <p>While a bucket is divided, an entry of its upper half is in either of two, and only ever moves
 * from the lower to the upper: a reader that looks there first misses none. New ones go to the
 * upper. Used by one thread, as its transaction.
 */
public final class EntryRows {
  private final Transaction transaction;
  private final boolean recalls;

  /**
   * @param recalls whether entries may be taken for what is remembered of them, as the commit finds
   *     out
   */
  EntryRows(Transaction transaction, boolean recalls) {
    this.transaction = transaction;
    this.recalls = recalls;
  }

  /** The row of an entry, null where there is none. Guarded either way. */
  byte @Nullable [] get(DirectoryInode directory, byte[] name) {
    Buckets buckets = directory.buckets();
    if (buckets.filling() != 0) {
      byte[] row = read(former(directory, name));
      if (row != null) {
        return row;
      }
    }
    return read(ofNew(directory, name));
  }

  private byte @Nullable [] read(Key key) {
    return recalls ? transaction.remoteReads().recall(key) : transaction.get(key);
  }

  /** Guards that there is no entry, without looking; false where one has to look. */
  public boolean guardAbsent(DirectoryInode directory, byte[] name) {
    return directory.buckets().filling() == 0 && transaction.guardAbsent(ofNew(directory, name));
  }

  /** The same to assume it later. */
  public VersionedRow getVersioned(DirectoryInode directory, byte[] name) {
    Buckets buckets = directory.buckets();
    if (buckets.filling() != 0) {
      VersionedRow row = transaction.getVersioned(former(directory, name));
      if (row.value() != null) {
        return row;
      }
    }
    return transaction.getVersioned(ofNew(directory, name));
  }

  /** The row of an entry without a guard, null where there is none. */
  public static byte @Nullable [] read(Reader reader, DirectoryInode directory, byte[] name) {
    return read(reader, directory.locator(), directory.buckets(), name);
  }

  public static byte @Nullable [] read(
      Reader reader, Locator directory, Buckets buckets, byte[] name) {
    if (buckets.filling() != 0) {
      byte[] row = reader.get(NamespaceKeys.entry(directory, buckets.formerOf(name), name));
      if (row != null) {
        return row;
      }
    }
    return reader.get(NamespaceKeys.entry(directory, buckets.of(name), name));
  }

  /** Where an entry is that this transaction found, or puts there. */
  public Key ofExisting(DirectoryInode directory, byte[] name) {
    Buckets buckets = directory.buckets();
    if (buckets.filling() != 0) {
      Key former = former(directory, name);
      if (transaction.get(former) != null) {
        return former;
      }
    }
    return ofNew(directory, name);
  }

  private static Key former(DirectoryInode directory, byte[] name) {
    return NamespaceKeys.entry(directory.locator(), directory.buckets().formerOf(name), name);
  }

  /** Where a new entry is to be. */
  public static Key ofNew(DirectoryInode directory, byte[] name) {
    return NamespaceKeys.entry(directory.locator(), directory.buckets().of(name), name);
  }

  /**
   * Rows that change with each entry of a directory that comes or goes, or moves between buckets.
   */
  public static List<Key> countersOf(DirectoryInode directory) {
    return countersOf(directory.locator(), directory.buckets());
  }

  public static List<Key> countersOf(Locator directory, Buckets buckets) {
    return Arrays.stream(buckets.numbers())
        .mapToObj(bucket -> NamespaceKeys.counters(directory, bucket))
        .toList();
  }

  /** Where what comes and goes in the bucket of an entry is counted. */
  public static Key countersBeside(DirectoryInode directory, Key entry) {
    return NamespaceKeys.counters(directory.locator(), NamespaceKeys.bucketOf(entry));
  }

  /** What was counted in a directory, in all its buckets, as a reader has it. */
  public static DirectoryCounters counters(Reader reader, DirectoryInode directory) {
    if (directory.buckets().isOne()) {
      return counters(reader, NamespaceKeys.counters(directory.locator(), 0));
    }
    DirectoryCounters sum = new DirectoryCounters(0, 0, Long.MIN_VALUE);
    for (Key key : countersOf(directory)) {
      sum = sum.plus(counters(reader, key));
    }
    return sum;
  }

  private static DirectoryCounters counters(Reader reader, Key key) {
    return DirectoryCounters.decode(reader.get(key));
  }

  /** An operation that adds or removes an entry, or moves one between buckets, conflicts. */
  public void guardCounters(DirectoryInode directory) {
    for (int bucket : directory.buckets().numbers()) {
      transaction.get(NamespaceKeys.counters(directory.locator(), bucket));
    }
  }

  /**
   * Writes what follows from other buckets, but for the inode. Counters of buckets that are no more
   * must tell of no entries.
   *
   * @return the inode that is to be written
   */
  public DirectoryInode setBuckets(DirectoryInode directory, Buckets buckets) {
    long modificationTimeMs = directory.attributes().modificationTimeMs();
    for (int bucket : directory.buckets().numbers()) {
      if (!buckets.contains(bucket)) {
        Key key = NamespaceKeys.counters(directory.locator(), bucket);
        DirectoryCounters counted = DirectoryCounters.decode(transaction.get(key));
        modificationTimeMs = Math.max(modificationTimeMs, counted.modificationTimeMs());
        transaction.delete(key);
      }
    }
    if (directory.buckets().filling() != 0 && buckets.filling() == 0) {
      transaction.delete(NamespaceKeys.splitJob(directory.id()));
    }
    Key header = NamespaceKeys.header(directory.locator());
    if (buckets.isOne()) {
      transaction.delete(header);
    } else {
      transaction.put(header, buckets.encode());
    }
    return directory
        .with(directory.attributes().withModificationTimeMs(modificationTimeMs))
        .with(buckets);
  }

  /** Lets the modification time be told by the directory's inode alone. */
  public void forgetModificationTime(DirectoryInode directory, long timeMs) {
    for (int bucket : directory.buckets().numbers()) {
      Key key = NamespaceKeys.counters(directory.locator(), bucket);
      byte[] row = transaction.get(key);
      if (row != null) {
        DirectoryCounters before = DirectoryCounters.decode(row);
        transaction.put(
            key, new DirectoryCounters(before.entries(), before.changes() + 1, timeMs).encode());
      }
    }
  }
}
