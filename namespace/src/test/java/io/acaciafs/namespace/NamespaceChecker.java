package io.acaciafs.namespace;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.Dictionary;
import io.acaciafs.namespace.record.DirectoryCounters;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeCodec;
import io.acaciafs.namespace.record.InodeLocation;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.OpenFile;
import io.acaciafs.namespace.record.SweepJob;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reads all rows of a namespace and tells which contradict each other: entries, inode ids,
 * counters, open files. Holds the ids of directories that wait for the sweeper, and nothing else
 * that grows with the namespace. While others write, it may find what is only half seen.
 */
public final class NamespaceChecker {
  /**
   * @param staleIndexRow nobody is misled by it: whoever follows an index row checks what it finds
   */
  public record Finding(boolean staleIndexRow, String text) {}

  private final Reader reader;
  private final InodeCodec codec;
  private final Set<Long> leftToSweep = new HashSet<>();

  public NamespaceChecker(Reader reader) {
    this.reader = reader;
    this.codec = InodeCodec.forReading(reader, new Dictionary());
  }

  public void check(Consumer<Finding> findings) {
    Consumer<String> damage = text -> findings.accept(new Finding(false, text));
    Consumer<String> stale = text -> findings.accept(new Finding(true, text));
    forEach(
        NamespaceKeys.sweepJobs(new byte[0]),
        row -> leftToSweep.add(SweepJob.decode(row.value()).directoryId()));
    new Directories(damage).check();
    forEach(KeyRange.ofTable(NamespaceKeys.INODES), row -> checkLocation(row, stale));
    forEach(KeyRange.ofTable(NamespaceKeys.OPEN_FILES), row -> checkOpenFile(row, stale));
  }

  private void forEach(KeyRange range, Consumer<Row> visitor) {
    try (Scan rows = reader.scan(range)) {
      while (rows.hasNext()) {
        visitor.accept(rows.next());
      }
    }
  }

  private void checkLocation(Row row, Consumer<String> stale) {
    long id = NamespaceKeys.idOf(row.key());
    Inode inode = entryAt(InodeLocation.decode(row.value()));
    if (inode == null || inode.id() != id) {
      stale.accept("An inode id leads to another entry, or none id=" + id);
    }
  }

  private void checkOpenFile(Row row, Consumer<String> stale) {
    long id = NamespaceKeys.idOf(row.key());
    byte[] location = reader.peek(NamespaceKeys.inode(id));
    Inode inode = location == null ? null : entryAt(InodeLocation.decode(location));
    if (!(inode instanceof FileInode file)
        || file.id() != id
        || !file.isUnderConstruction()
        || !file.writer().clientName().equals(OpenFile.decode(row.value()).clientName())) {
      stale.accept("An open file that nobody writes id=" + id);
    }
  }

  private Inode entryAt(InodeLocation location) {
    DirectoryInode directory =
        new DirectoryInode(0, location.directory(), null, bucketsOf(location.directory()));
    byte[] row = EntryRows.peek(reader, directory, location.name());
    return row == null ? null : codec.decode(row);
  }

  private Buckets bucketsOf(Locator directory) {
    return Buckets.decode(reader.peek(NamespaceKeys.header(directory)));
  }

  /** Walks all buckets in the order of their keys: counters first, then the entries. */
  private final class Directories {
    private final Consumer<String> damage;
    private Locator directory;
    private int bucket;
    private Buckets buckets;
    private long counted;
    private long found;

    private Directories(Consumer<String> damage) {
      this.damage = damage;
    }

    private void check() {
      forEach(KeyRange.ofTable(NamespaceKeys.ENTRIES), this::visit);
      end();
    }

    private void visit(Row row) {
      if (row.key().equals(Root.KEY)) {
        checkHeader(codec.decode(row.value()));
        return;
      }
      if (NamespaceKeys.isRetry(row.key()) || NamespaceKeys.isHeader(row.key())) {
        return;
      }
      Locator of = NamespaceKeys.directoryOf(row.key());
      if (!of.equals(directory) || NamespaceKeys.bucketOf(row.key()) != bucket) {
        end();
        directory = of;
        bucket = NamespaceKeys.bucketOf(row.key());
        buckets = bucketsOf(of);
        counted = 0;
        found = 0;
        checkReachable();
      }
      if (NamespaceKeys.isEntry(row.key())) {
        found++;
        checkEntry(row.key(), codec.decode(row.value()));
      } else {
        counted = DirectoryCounters.decode(row.value()).entries();
      }
    }

    private void end() {
      if (directory != null && counted != found && !leftToSweep.contains(directory.directoryId())) {
        damage.accept(
            "A directory counts wrong id="
                + directory.directoryId()
                + " bucket="
                + bucket
                + " counted="
                + counted
                + " found="
                + found);
      }
    }

    private void checkHeader(Inode inode) {
      if (inode instanceof DirectoryInode found
          && !leftToSweep.contains(inode.id())
          && !found.buckets().equals(bucketsOf(found.locator()))) {
        damage.accept("A directory's header says something else id=" + found.id());
      }
    }

    private void checkEntry(Key key, Inode inode) {
      checkHeader(inode);
      byte[] name = NamespaceKeys.nameOf(key);
      if (buckets.of(name) != bucket
          && buckets.formerOf(name) != bucket
          && !leftToSweep.contains(directory.directoryId())) {
        damage.accept("An entry in a bucket that is not its own id=" + inode.id());
      }
      byte[] row = reader.peek(NamespaceKeys.inode(inode.id()));
      InodeLocation location = row == null ? null : InodeLocation.decode(row);
      if (location == null
          || !location.directory().equals(directory)
          || !Arrays.equals(location.name(), name)) {
        damage.accept("An entry that its inode id does not lead to id=" + inode.id());
      }
      if (inode instanceof FileInode file
          && file.isUnderConstruction()
          && reader.peek(NamespaceKeys.openFile(file.id())) == null) {
        damage.accept("A file under construction that nobody will close id=" + file.id());
      }
    }

    /** Climbs from the directory to the root, or to one that waits for the sweeper. */
    private void checkReachable() {
      Set<Long> seen = new HashSet<>();
      long id = directory.directoryId();
      while (id != Root.ID && !leftToSweep.contains(id)) {
        byte[] row = reader.peek(NamespaceKeys.inode(id));
        InodeLocation location = row == null ? null : InodeLocation.decode(row);
        if (location == null
            || !(entryAt(location) instanceof DirectoryInode found)
            || found.id() != id
            || !seen.add(id)) {
          damage.accept("A directory out of reach id=" + directory.directoryId() + " at=" + id);
          return;
        }
        id = location.directory().directoryId();
      }
    }
  }
}
