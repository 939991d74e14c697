package io.acaciafs.namespace.directory;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Transaction;
import io.acaciafs.namespace.context.EntryRows;
import io.acaciafs.namespace.context.OneMoment;
import io.acaciafs.namespace.context.OperationContext;
import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeLocation;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads some entries of a directory as they were at one moment. A store that can show all rows of
 * one moment does so. On other stores the rows of one request are of one moment. If one request is
 * not enough, the class reads the counters of all buckets before and after: each added or removed
 * entry changes them.
 *
 * <p>If they change again and again, entries of different buckets are of different moments. Then an
 * inode that a client renamed from bucket to bucket may appear under both names, or only in an
 * earlier attempt. The class looks up such an inode in its own row, which each rename writes. Used
 * by one thread, once.
 */
public final class EntriesAtOneMoment {
  /** Each reads the whole page. */
  private static final int ATTEMPTS = 3;

  private static final int LOOKS_AT_CHANGED = 6;

  private final OperationContext context;
  private final Locator directory;
  private final Buckets buckets;
  private final byte[] startAfter;
  private final int most;
  private final Supplier<Predicate<NamedInode>> rooms;

  /** What was seen by attempts so far, by inode. */
  private final Map<Long, NamedInode> seen = new HashMap<>();

  private boolean isOfOneMoment;

  public EntriesAtOneMoment(
      OperationContext context,
      Locator directory,
      Buckets buckets,
      byte[] startAfter,
      int most,
      Supplier<Predicate<NamedInode>> rooms) {
    this.context = context;
    this.directory = directory;
    this.buckets = buckets;
    this.startAfter = startAfter;
    this.most = most;
    this.rooms = rooms;
  }

  Entries read() {
    Reader moment = context.readView();
    if (moment != null) {
      return read(moment, 0);
    }
    if (buckets.isOne()) {
      Entries entries = read(context.transaction().unguarded(), most + 1);
      if (isOfOneMoment) {
        return entries;
      }
    }
    return readBeside();
  }

  /** The same by transactions of its own; all entries of an attempt fit into memory. */
  public Entries readBeside() {
    List<Key> counters = EntryRows.countersOf(directory, buckets);
    Transaction attempt = OneMoment.begin(context, counters);
    Map<Key, byte[]> first = valuesIn(attempt, counters);
    Entries entries = read(attempt.unguarded(), most + 1);
    for (int i = 1; !OneMoment.holds(attempt); i++) {
      entries.list().forEach(this::saw);
      if (i == ATTEMPTS) {
        lookAtChangedBuckets(counters, first, entries);
        return withRenamedOnes(entries);
      }
      attempt = OneMoment.begin(context, counters);
      entries = read(attempt.unguarded(), most + 1);
    }
    return entries;
  }

  /** The last sight counts. */
  private void saw(NamedInode entry) {
    seen.put(entry.inode().id(), entry);
  }

  private static Map<Key, byte[]> valuesIn(Transaction transaction, List<Key> counters) {
    Map<Key, byte[]> values = new HashMap<>();
    counters.forEach(key -> values.put(key, transaction.get(key)));
    return values;
  }

  /**
   * An entry may have evaded each attempt: it was renamed to a bucket that had been read, from one
   * that had not. There are few buckets that change, and reading them again costs little.
   */
  private void lookAtChangedBuckets(List<Key> counters, Map<Key, byte[]> first, Entries entries) {
    Map<Key, byte[]> now = valuesIn(OneMoment.begin(context, counters), counters);
    Set<Integer> changed = new HashSet<>();
    for (Key key : counters) {
      if (!Arrays.equals(first.get(key), now.get(key))) {
        changed.add(NamespaceKeys.bucketOf(key));
      }
    }
    byte[] last = lastOf(entries);
    for (int i = 0; i < LOOKS_AT_CHANGED && !changed.isEmpty(); i++) {
      BucketScan.forEachRow(
          context.beginBeside().unguarded(),
          directory,
          buckets,
          changed::contains,
          startAfter,
          true,
          row -> {
            byte[] name = NamespaceKeys.nameOf(row);
            boolean isWanted = last == null || compare(name, last) <= 0;
            if (isWanted) {
              saw(new NamedInode(name, context.inodeOf(row), row.valueLength()));
            }
            return isWanted;
          });
    }
  }

  /** Where the page ends before the directory does; else null. */
  private static byte @Nullable [] lastOf(Entries entries) {
    List<NamedInode> list = entries.list();
    return entries.hasMore() ? list.get(list.size() - 1).name() : null;
  }

  private Entries read(Reader reader, int rows) {
    List<NamedInode> list = new ArrayList<>();
    boolean[] hasMore = {false};
    Predicate<NamedInode> room = rooms.get();
    isOfOneMoment =
        BucketScan.forEachRow(
            reader,
            directory,
            buckets,
            startAfter,
            rows,
            row -> {
              NamedInode entry =
                  new NamedInode(
                      NamespaceKeys.nameOf(row), context.inodeOf(row), row.valueLength());
              hasMore[0] = !room.test(entry);
              if (!hasMore[0]) {
                list.add(entry);
              }
              return !hasMore[0];
            });
    return new Entries(list, hasMore[0]);
  }

  /** Each inode once, at its current name. */
  private Entries withRenamedOnes(Entries entries) {
    TreeMap<byte[], NamedInode> list = new TreeMap<>(EntriesAtOneMoment::compare);
    Set<Long> found = new HashSet<>();
    Set<Long> doubtful = new LinkedHashSet<>();
    for (NamedInode entry : entries.list()) {
      list.put(entry.name(), entry);
      if (!found.add(entry.inode().id())) {
        doubtful.add(entry.inode().id());
      }
    }
    seen.keySet().stream().filter(id -> !found.contains(id)).forEach(doubtful::add);
    list.values().removeIf(entry -> doubtful.contains(entry.inode().id()));
    byte[] last = lastOf(entries);
    place(doubtful, list, last);
    return new Entries(List.copyOf(list.values()), entries.hasMore());
  }

  /**
   * Adds inodes at their current names. An inode that was seen at such a name has another one now.
   *
   * @param last name of the page; null if there is nothing behind it
   */
  private void place(Set<Long> inodes, TreeMap<byte[], NamedInode> list, byte @Nullable [] last) {
    Set<Long> placed = new HashSet<>(inodes);
    Deque<Long> waiting = new ArrayDeque<>(inodes);
    for (Long id = waiting.poll(); id != null; id = waiting.poll()) {
      NamedInode entry = find(id);
      if (entry == null
          || compare(entry.name(), startAfter) <= 0
          || (last != null && compare(entry.name(), last) > 0)) {
        continue;
      }
      NamedInode other = list.put(entry.name(), entry);
      if (other != null) {
        if (!placed.add(other.inode().id())) {
          throw new ConflictException(NamespaceKeys.inode(id)); // both move all the time
        }
        waiting.add(other.inode().id());
      }
    }
  }

  /**
   * Where an inode is in the directory now; where it was seen during this operation if it does not
   * stay long enough to be read at the name that its row tells; null if it is not there.
   */
  private @Nullable NamedInode find(long id) {
    for (int i = 0; i < OneMoment.ATTEMPTS; i++) {
      Transaction now = context.beginBeside();
      byte[] row = now.get(NamespaceKeys.inode(id));
      InodeLocation location = row == null ? null : InodeLocation.decode(row);
      if (location == null || !location.directory().equals(directory)) {
        return null;
      }
      byte[] entry = EntryRows.read(now.unguarded(), directory, buckets, location.name());
      Inode inode = context.inodeOf(entry);
      if (entry != null && inode != null && inode.id() == id) {
        return new NamedInode(location.name(), inode, entry.length);
      }
    }
    return seen.get(id);
  }

  private static int compare(byte[] name, byte[] other) {
    return Arrays.compare(name, other); // by signed bytes, as in HDFS
  }
}
