package io.acaciafs.fsimage;

import io.acaciafs.fsimage.format.ImageFile;
import io.acaciafs.fsimage.sort.LongList;
import io.acaciafs.fsimage.survey.ImageSurvey.Special;
import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.RowKeyLayout;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hdfs.server.namenode.INodeId;
import org.jspecify.annotations.Nullable;

/**
 * All directories of an image, numbered in the order of their ids: what files in them inherit, and
 * how many entries they get. Takes 21 bytes a directory. Filled by one thread; the rest is safe for
 * many.
 */
final class DirectoryTable {
  static final int NONE = -1;

  private final ImageFile image;
  private final long[] ids;
  private final int[] parents;
  private final byte[] policies;

  /** The nearest directory with a quota, itself included. */
  private final int[] quotas;

  private final BitSet leftOut;
  private final AtomicIntegerArray entries;

  /** Of the few that have several. */
  private final Map<Integer, SpreadDirectory> spread = new HashMap<>();

  /** A directory with several buckets, and how many entries each gets. */
  private record SpreadDirectory(Buckets buckets, Map<Integer, LongAdder> entries) {}

  private final int root;

  private DirectoryTable(ImageFile image, long[] ids) throws IOException {
    this.image = image;
    this.ids = ids;
    parents = new int[ids.length];
    policies = new byte[ids.length];
    quotas = new int[ids.length];
    leftOut = new BitSet(ids.length);
    entries = new AtomicIntegerArray(ids.length);
    root = numberOf(INodeId.ROOT_INODE_ID);
  }

  /** With nothing but their ids. */
  static DirectoryTable of(ImageFile image, LongList directories) throws IOException {
    long[] ids = directories.toArray();
    Arrays.parallelSort(ids);
    for (int i = 1; i < ids.length; i++) {
      if (ids[i] == ids[i - 1]) {
        throw image.damaged("there are two inodes " + ids[i]);
      }
    }
    DirectoryTable table = new DirectoryTable(image, ids);
    if (table.root < 0) {
      throw image.damaged("it has no root");
    }
    return table;
  }

  /** How many there are. */
  int size() {
    return ids.length;
  }

  long idOf(int number) {
    return ids[number];
  }

  /** {@link #NONE} where there is no such directory. */
  int numberOf(long id) {
    int found = Arrays.binarySearch(ids, id);
    return found < 0 ? NONE : found;
  }

  /**
   * Learns which lies in which, and what follows from that.
   *
   * @param mayBeNowhere directories in none but deleted ones are there, for snapshots; they are
   *     left out
   * @throws IOException when a directory is below itself, or nowhere
   */
  void resolve(ParentTable table, Map<Long, Special> specials, boolean mayBeNowhere)
      throws IOException {
    for (int i = 0; i < ids.length; i++) {
      parents[i] = i == root ? NONE : table.directoryOf(ids[i]);
    }
    BitSet resolved = new BitSet(ids.length);
    int[] way = new int[16];
    for (int i = 0; i < ids.length; i++) {
      int length = 0;
      for (int at = i; at != NONE && !resolved.get(at); at = parents[at]) {
        if (length == way.length) {
          way = Arrays.copyOf(way, 2 * length);
        }
        way[length++] = at;
        if (length > ids.length) {
          throw image.damaged("directory " + ids[i] + " is below itself");
        }
      }
      while (length > 0) {
        int at = way[--length];
        inherit(at, specials.get(ids[at]), mayBeNowhere);
        resolved.set(at);
      }
    }
  }

  private void inherit(int at, @Nullable Special special, boolean mayBeNowhere) throws IOException {
    int parent = parents[at];
    boolean isNowhere = parent == NONE && at != root;
    if (isNowhere && !mayBeNowhere) {
      throw image.damaged("directory " + ids[at] + " is in no directory");
    }
    byte own = special == null ? 0 : special.policyId();
    policies[at] = own != 0 || parent == NONE ? own : policies[parent];
    boolean hasQuota = special != null && special.hasQuota();
    quotas[at] = hasQuota ? at : parent == NONE ? NONE : quotas[parent];
    boolean isZone = special != null && special.isZone();
    if (special != null && !special.buckets().isOne()) {
      spread.put(at, new SpreadDirectory(special.buckets(), new ConcurrentHashMap<>()));
    }
    if (isNowhere || isZone || parent != NONE && leftOut.get(parent)) {
      leftOut.set(at);
    }
  }

  /** {@link #NONE} for the root. */
  int parentOf(int number) {
    return parents[number];
  }

  /** Where its entries will lie. */
  Locator locatorOf(int number, RowKeyLayout layout) {
    if (number == root) {
      return Locator.spread(ids[root]);
    }
    int parent = parents[number];
    long above = parent == root ? 0 : ids[parents[parent]];
    return layout.locate(above, ids[parent], ids[number]);
  }

  /** The storage policy that its files inherit; 0: none. */
  byte policyOf(int number) {
    return policies[number];
  }

  /** The directory whose quota counts what is in this one; {@link #NONE} where there is none. */
  int quotaOf(int number) {
    return quotas[number];
  }

  boolean isLeftOut(int number) {
    return leftOut.get(number);
  }

  int leftOut() {
    return leftOut.cardinality();
  }

  /** The bucket that an entry of a directory is to be in. */
  int bucketOf(int number, byte[] name) {
    SpreadDirectory directory = spread.get(number);
    return directory == null ? 0 : directory.buckets.of(name);
  }

  void addEntry(int number, int bucket) {
    SpreadDirectory directory = spread.get(number);
    if (directory == null) {
      entries.incrementAndGet(number);
    } else {
      directory.entries.computeIfAbsent(bucket, none -> new LongAdder()).increment();
    }
  }

  /** How many entries the buckets of a directory got, of those that got any. */
  Map<Integer, Long> entriesOf(int number) {
    SpreadDirectory directory = spread.get(number);
    if (directory == null) {
      long count = entries.get(number);
      return count == 0 ? Map.of() : Map.of(0, count);
    }
    Map<Integer, Long> counts = new HashMap<>();
    directory.entries.forEach((bucket, count) -> counts.put(bucket, count.sum()));
    return counts;
  }
}
