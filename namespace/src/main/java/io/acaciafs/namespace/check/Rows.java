package io.acaciafs.namespace.check;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeLocation;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.codec.Dictionary;
import io.acaciafs.namespace.record.codec.InodeCodec;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads of rows that may be wrong in any way: what makes no sense counts as not there. */
final class Rows {
  /** The entry without a name of a directory that does not exist. */
  static final Key ROOT = NamespaceKeys.entry(Locator.spread(0), 0, new byte[0]);

  /** A directory that is not where it should be may lie in one that is not either, and so on. */
  private static final int MOST_DETOURS = 8;

  private final Dictionary dictionary = new Dictionary();

  @Nullable Inode decode(Reader reader, byte @Nullable [] row) {
    return row == null
        ? null
        : decoded(() -> InodeCodec.forReading(reader, dictionary).decode(row));
  }

  byte[] encode(Transaction transaction, Inode inode) {
    return InodeCodec.in(transaction, dictionary).encode(inode);
  }

  /** Makes something of a row. */
  @FunctionalInterface
  interface Decoding<T> {
    T run();
  }

  /** Null where the bytes make no sense. */
  static <T> @Nullable T decoded(Decoding<T> decoding) {
    try {
      return decoding.run();
    } catch (StoreException | IllegalArgumentException | IndexOutOfBoundsException e) {
      return null; // the caller reports the finding
    }
  }

  @Nullable InodeLocation location(Reader reader, long id) {
    byte[] row = reader.get(NamespaceKeys.inode(id));
    return row == null ? null : decoded(() -> InodeLocation.decode(row));
  }

  /** The inode with an id, found as everybody finds it; null where there is none. */
  @Nullable Inode inode(Reader reader, long id) {
    if (id == Namespace.ROOT_ID) {
      return decode(reader, reader.get(ROOT));
    }
    InodeLocation location = location(reader, id);
    Inode inode = location == null ? null : entryAt(reader, location);
    return inode == null || inode.id() != id ? null : inode;
  }

  /** The directory whose entries lie below a locator; null where it is not in any directory. */
  @Nullable DirectoryInode directory(Reader reader, Locator locator) {
    return directory(reader, locator, MOST_DETOURS);
  }

  private @Nullable DirectoryInode directory(Reader reader, Locator locator, int detours) {
    long id = locator.directoryId();
    Inode inode = null;
    if (id == Namespace.ROOT_ID) {
      inode = decode(reader, reader.get(ROOT));
    } else {
      InodeLocation location = location(reader, id);
      inode = location == null ? null : entryAt(reader, location, detours);
    }
    return inode instanceof DirectoryInode directory
            && directory.id() == id
            && directory.locator().equals(locator)
        ? directory
        : null;
  }

  @Nullable Inode entryAt(Reader reader, InodeLocation location) {
    return entryAt(reader, location, MOST_DETOURS);
  }

  /**
   * Whether an id leads to an entry that cannot be read: that is told of the entry, and nothing may
   * be concluded from it, as a newer version may have written it.
   */
  boolean leadsToUnreadable(Reader reader, long id) {
    InodeLocation location = location(reader, id);
    byte[] row = null;
    if (id == Namespace.ROOT_ID) {
      row = reader.get(ROOT);
    } else if (location != null) {
      row = entryRowAt(reader, location, MOST_DETOURS);
    }
    return row != null && decode(reader, row) == null;
  }

  private @Nullable Inode entryAt(Reader reader, InodeLocation location, int detours) {
    return decode(reader, entryRowAt(reader, location, detours));
  }

  /** Believes the header of the directory first, which costs less than its inode. */
  private byte @Nullable [] entryRowAt(Reader reader, InodeLocation location, int detours) {
    Buckets header = header(reader, location.directory());
    byte[] row = entry(reader, location, header == null ? Buckets.ONE : header);
    if (row == null && detours > 0) {
      DirectoryInode directory = directory(reader, location.directory(), detours - 1);
      if (directory == null) {
        row = entryAnywhere(reader, location);
      } else if (!directory.buckets().equals(header)) {
        row = entry(reader, location, directory.buckets());
      }
    }
    return row;
  }

  /** In a directory of which nobody knows which buckets it has. */
  private static byte @Nullable [] entryAnywhere(Reader reader, InodeLocation location) {
    for (int bucket : Buckets.uniform(Buckets.MOST).everOf(location.name())) {
      byte[] row = reader.get(key(location, bucket));
      if (row != null) {
        return row;
      }
    }
    return null;
  }

  private static byte @Nullable [] entry(Reader reader, InodeLocation location, Buckets buckets) {
    byte[] row = null;
    if (buckets.filling() != 0) {
      row = reader.get(key(location, buckets.formerOf(location.name())));
    }
    return row == null ? reader.get(key(location, buckets.of(location.name()))) : row;
  }

  private static Key key(InodeLocation location, int bucket) {
    return NamespaceKeys.entry(location.directory(), bucket, location.name());
  }

  /** What a directory's header says; one bucket where there is none, null where it is no header. */
  static @Nullable Buckets header(Reader reader, Locator directory) {
    byte[] row = reader.get(NamespaceKeys.header(directory));
    return decoded(() -> Buckets.decode(row));
  }

  /** Whether a file has a block. */
  boolean lists(Reader reader, long fileId, long blockId) {
    return inode(reader, fileId) instanceof FileInode file
        && file.blocks().stream().anyMatch(block -> block.id() == blockId);
  }

  /** A name as one word. */
  static String text(byte[] name) {
    StringBuilder text = new StringBuilder();
    new String(name, StandardCharsets.UTF_8)
        .chars()
        .forEach(
            c -> {
              if (c <= ' ' || c == '\\' || c == 0x7f) {
                text.append(String.format("\\x%02x", c));
              } else {
                text.append((char) c);
              }
            });
    return text.toString();
  }
}
