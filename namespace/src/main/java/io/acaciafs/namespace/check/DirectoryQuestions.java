package io.acaciafs.namespace.check;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.check.CheckRun;
import io.acaciafs.kv.check.Finding;
import io.acaciafs.kv.check.Question;
import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.DirectoryCounters;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeLocation;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.SplitJob;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What is asked about directories as a whole. For one thread. */
final class DirectoryQuestions {
  private final CheckRun run;
  private final Rows rows;
  private final Ancestors ancestors;
  private final SweptDirectories swept;
  private final LostAndFound lostAndFound;

  DirectoryQuestions(
      CheckRun run,
      Rows rows,
      Ancestors ancestors,
      SweptDirectories swept,
      LostAndFound lostAndFound) {
    this.run = run;
    this.rows = rows;
    this.ancestors = ancestors;
    this.swept = swept;
    this.lostAndFound = lostAndFound;
  }

  /**
   * Whether a directory is in another one, or is being removed.
   *
   * @param seen a row of it
   */
  Question home(Key seen) {
    return (reader, findings) -> askHome(reader, seen, findings);
  }

  private void askHome(Reader reader, Key seen, Consumer<Finding> findings) {
    Locator locator = NamespaceKeys.directoryOf(seen);
    long id = locator.directoryId();
    if (reader.get(seen) == null
        || rows.directory(reader, locator) != null
        || rows.leadsToUnreadable(reader, id)
        || !swept.areAll()
        || swept.contains(id)) {
      return;
    }
    int bucket = NamespaceKeys.bucketOf(seen);
    Buckets buckets = Rows.header(reader, locator); // null: nobody knows where entries may be
    if (!NamespaceKeys.isEntry(seen) && isEmpty(reader, locator, bucket, buckets)) {
      findings.accept(
          Finding.damage(
              "rows-of-no-directory",
              "inode=" + id + " bucket=" + bucket,
              "A directory that is not there has a header or counters.",
              buckets == null ? null : tx -> tx.delete(seen)));
      return;
    }
    Inode other = rows.inode(reader, id);
    findings.accept(
        Finding.damage(
            "orphan-directory",
            "inode=" + id,
            "A directory has entries, and is in no directory itself"
                + (other == null ? "." : "; another inode has its id."),
            other == null && buckets != null ? tx -> link(tx, id, locator, buckets) : null));
  }

  /** Whether no bucket that is known of has an entry. */
  private static boolean isEmpty(
      Reader reader, Locator locator, int bucket, @Nullable Buckets header) {
    int[] known = header == null ? new int[0] : header.numbers();
    return IntStream.concat(IntStream.of(bucket), IntStream.of(known))
        .noneMatch(number -> hasEntries(reader, locator, number));
  }

  private static boolean hasEntries(Reader reader, Locator locator, int bucket) {
    try (Scan entries = reader.scan(NamespaceKeys.entries(locator, bucket), 1)) {
      return entries.hasNext();
    }
  }

  private void link(Transaction tx, long id, Locator locator, Buckets buckets) {
    lostAndFound.addDirectory(tx, id, locator, buckets);
    Key job = NamespaceKeys.splitJob(id);
    if (buckets.filling() != 0 && tx.get(job) == null) {
      tx.put(job, new SplitJob(id, buckets.filling(), new byte[0]).encode());
    }
  }

  /** Whether the way up from a directory ends. */
  Question loop(long directoryId) {
    return (reader, findings) -> {
      List<Long> loop = ancestors.loopAbove(reader, directoryId);
      if (loop.isEmpty()) {
        return;
      }
      long first = loop.stream().min(Long::compare).orElseThrow();
      findings.accept(
          Finding.damage(
              "loop",
              "inode=" + first,
              "A directory lies below itself, by way of " + loop.size() + " directories.",
              tx -> cut(tx, first)));
    };
  }

  /** Any one of the loop will do; nothing of it can be reached as it is. */
  private void cut(Transaction tx, long id) {
    InodeLocation location =
        Objects.requireNonNull(rows.location(tx.unguarded(), id), "it is in the loop");
    DirectoryInode parent =
        Objects.requireNonNull(
            rows.directory(tx.unguarded(), location.directory()), "it is in the loop");
    Inode inode = Objects.requireNonNull(rows.inode(tx.unguarded(), id), "it is in the loop");
    byte[] name = location.name();
    for (int bucket : List.of(parent.buckets().formerOf(name), parent.buckets().of(name))) {
      Key key = NamespaceKeys.entry(parent.locator(), bucket, name);
      if (tx.get(key) != null) {
        tx.delete(key);
        tx.add(NamespaceKeys.counters(parent.locator(), bucket), DirectoryCounters.moved(-1));
        break;
      }
    }
    lostAndFound.move(tx, inode);
  }

  /** Whether a bucket has as many entries as are counted. */
  Question count(Locator directory, int bucket) {
    return (reader, findings) -> askCount(reader, directory, bucket, findings);
  }

  private void askCount(Reader reader, Locator directory, int bucket, Consumer<Finding> findings)
      throws InterruptedException {
    Key key = NamespaceKeys.counters(directory, bucket);
    byte[] row = reader.get(key);
    DirectoryInode home = rows.directory(reader, directory);
    if (home == null) {
      return;
    }
    DirectoryCounters counters = Rows.decoded(() -> DirectoryCounters.decode(row));
    long entries = run.count(reader, NamespaceKeys.entries(directory, bucket));
    if (counters != null && counters.entries() == entries) {
      return;
    }
    DirectoryCounters right =
        counters == null
            ? new DirectoryCounters(entries, 1, Long.MIN_VALUE)
            : new DirectoryCounters(entries, counters.changes() + 1, counters.modificationTimeMs());
    findings.accept(
        Finding.damage(
            "wrong-count",
            "inode=" + home.id() + " bucket=" + bucket,
            "A directory has "
                + entries
                + " entries here, and "
                + (counters == null ? "what is counted cannot be read" : counters.entries())
                + (counters == null ? "." : " are counted."),
            tx -> tx.put(key, right.encode())));
  }
}
