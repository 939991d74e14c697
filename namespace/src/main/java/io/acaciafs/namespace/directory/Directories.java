package io.acaciafs.namespace.directory;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.GuardedReader;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Transaction;
import io.acaciafs.namespace.context.EntryRows;
import io.acaciafs.namespace.context.OneMoment;
import io.acaciafs.namespace.context.OperationContext;
import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.DirectoryCounters;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * What is in directories, as one transaction sees it. Scans guard nothing unless they say so. Used
 * by one thread, as its transaction.
 */
public final class Directories {
  /** Of counters, before entries are counted in their place. */
  private static final int FEW_ATTEMPTS = 2;

  /** About as many as {@code SubtreeSlice} counts at one moment. */
  private static final int MOST_COUNTED_ENTRIES = 8_192;

  private static final int ENTRIES_OF_A_REQUEST = 1_024;

  private static final byte[] NO_NAME = new byte[0];

  private final OperationContext context;
  private final Transaction transaction;

  public Directories(OperationContext context) {
    this.context = context;
    this.transaction = context.transaction();
  }

  /**
   * The entries behind a name, in HDFS's order, while the visitor wants more. Guards nothing.
   *
   * @param startAfter empty for all
   */
  public <E extends Exception> void forEachChild(
      DirectoryInode directory, byte[] startAfter, ChildVisitor<E> visitor) throws E {
    BucketScan.<E>forEachRow(
        transaction.unguarded(),
        directory.locator(),
        directory.buckets(),
        startAfter,
        row ->
            visitor.visit(
                new NamedInode(
                    NamespaceKeys.nameOf(row), context.inodeOf(row), row.valueLength())));
  }

  /**
   * The entries behind a name, as many as there is room for, as of one moment. On a store with
   * several servers, entries of a directory that changes again and again may be of several moments;
   * then the result still shows each rename within the directory completely.
   *
   * @param startAfter empty for all
   * @param most greatest number of entries
   * @param rooms makes a predicate that decides for each entry in order whether there is room for
   *     it
   */
  public Entries entries(
      DirectoryInode directory,
      byte[] startAfter,
      int most,
      Supplier<Predicate<NamedInode>> rooms) {
    return new EntriesAtOneMoment(
            context, directory.locator(), directory.buckets(), startAfter, most, rooms)
        .read();
  }

  /** Asks an engine far away for what is counted in the directories among entries, all at once. */
  public void readCountersAhead(List<NamedInode> entries) {
    if (!context.hasRemoteReads()) {
      return;
    }
    List<Key> counters = new ArrayList<>();
    for (NamedInode entry : entries) {
      if (entry.inode() instanceof DirectoryInode directory && directory.buckets().isOne()) {
        counters.add(NamespaceKeys.counters(directory.locator(), 0));
      }
    }
    if (!counters.isEmpty()) {
      transaction.remoteReads().prefetch(counters);
    }
  }

  /**
   * A directory that a scan has seen, with the buckets that it has now. Guarded: an operation that
   * divides a bucket before the commit conflicts. An operation that followed a path to a directory
   * has that guard already.
   */
  public DirectoryInode asItIs(DirectoryInode seen) {
    Buckets buckets = bucketsOf(seen.locator(), seen.buckets());
    return buckets.equals(seen.buckets()) ? seen : seen.with(buckets);
  }

  /** The same of one of which less is known. */
  public Buckets bucketsOf(Locator directory, Buckets seen) {
    return mayChange(seen)
        ? Buckets.decode(transaction.get(NamespaceKeys.header(directory)))
        : seen;
  }

  /** Whether a directory that a scan has seen may get other buckets while it has entries. */
  public boolean mayChange(Buckets seen) {
    return !seen.isOne() || context.settings().directories().splitThreshold() > 0;
  }

  /** Takes the entries of one directory. */
  @FunctionalInterface
  public interface ChildVisitor<E extends Exception> {
    /**
     * @return whether to go on
     */
    boolean visit(NamedInode child) throws E;
  }

  /**
   * Visits a directory and everything below it, in no particular order. Holds the directories that
   * are still to be visited, never the files. Guards nothing.
   */
  public <E extends Exception> void walkSubtree(DirectoryInode top, SubtreeVisitor<E> visitor)
      throws E {
    Deque<DirectoryInode> left = new ArrayDeque<>();
    left.push(top);
    while (!left.isEmpty()) {
      DirectoryInode directory = asItIs(left.pop());
      visitor.enter(directory);
      this.<E>forEachChild(
          directory,
          NO_NAME,
          child -> {
            visitor.visit(directory, child.inode());
            if (child.inode() instanceof DirectoryInode subdirectory) {
              left.push(subdirectory);
            }
            return true;
          });
    }
  }

  /** Takes the directories of a subtree and their entries; may end the walk by an exception. */
  public interface SubtreeVisitor<E extends Exception> {
    default void enter(DirectoryInode directory) throws E {}

    void visit(DirectoryInode directory, Inode child) throws E;
  }

  /**
   * Whether a directory has no entry. Guarded: a concurrent addition before the commit makes it
   * conflict, since every entry that comes or goes counts in the directory's counters.
   */
  public boolean isEmpty(DirectoryInode directory) {
    guardEntries(directory);
    for (int bucket : directory.buckets().numbers()) {
      try (Scan scan =
          transaction.unguarded().scan(NamespaceKeys.entries(directory.locator(), bucket), 1)) {
        if (scan.hasNext()) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * An operation that adds or removes an entry, or opens a closed file, before the commit
   * conflicts.
   */
  public void guardEntries(DirectoryInode directory) {
    context.rows().guardCounters(directory);
  }

  /**
   * A file as a scan has seen it; one that is being written as it is now, and guarded.
   *
   * @throws ConflictException when it is gone
   */
  public FileInode guardIfOpen(DirectoryInode directory, byte[] name, FileInode seen) {
    if (!seen.isUnderConstruction()) {
      return seen;
    }
    if (context.child(directory, name) instanceof FileInode file && file.id() == seen.id()) {
      return file;
    }
    throw new ConflictException(EntryRows.ofNew(directory, name));
  }

  /**
   * What was counted in a directory, at one moment; not guarded, as it changes all the time. Of a
   * large one with several buckets that others change again and again it may be of several moments
   * on a store that is spread over servers.
   */
  public DirectoryCounters counters(DirectoryInode directory) {
    if (directory.buckets().isOne()) {
      return EntryRows.counters(context.unguarded(), directory);
    }
    Reader moment = context.readView();
    return moment != null
        ? EntryRows.counters(moment, directory)
        : counters(
            directory,
            FEW_ATTEMPTS,
            sum ->
                sum.entries() > MOST_COUNTED_ENTRIES
                    ? counters(directory, OneMoment.ATTEMPTS, ofSeveral -> ofSeveral)
                    : countedByEntries(directory, sum));
  }

  private DirectoryCounters counters(
      DirectoryInode directory, int attempts, UnaryOperator<DirectoryCounters> ofSeveral) {
    return OneMoment.read(
        context,
        attempts,
        EntryRows.countersOf(directory),
        attempt -> EntryRows.counters(new GuardedReader(attempt), directory),
        ofSeveral);
  }

  /** Counts the entries of a small directory: one that others rename all the time counts once. */
  private DirectoryCounters countedByEntries(DirectoryInode directory, DirectoryCounters sum) {
    Entries entries =
        new EntriesAtOneMoment(
                context,
                directory.locator(),
                directory.buckets(),
                NO_NAME,
                ENTRIES_OF_A_REQUEST,
                Directories::roomToCount)
            .readBeside();
    return entries.hasMore()
        ? sum
        : new DirectoryCounters(entries.list().size(), sum.changes(), sum.modificationTimeMs());
  }

  private static Predicate<NamedInode> roomToCount() {
    int[] left = {MOST_COUNTED_ENTRIES};
    return entry -> left[0]-- > 0;
  }
}
