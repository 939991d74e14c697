package io.acaciafs.kv.rocksdb.files;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Table;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Spares the question for a row that is not there, where many are asked for: an operation that adds
 * rows looks first whether they are there, and RocksDB would have to look into all its memtables
 * and files for that. The rows of a partition whose keys begin alike, of which many were asked for
 * that are not there, get a filter of all their keys.
 *
 * <p>From when a filter is installed each commit adds its keys before it shows them; then {@link
 * Builder} adds those of all earlier ones; then it is asked. There is a fixed number of places for
 * filters, found by hash; one that nobody uses any more gives way. Safe for use by many threads.
 */
public final class AbsenceFilters {
  private static final int PLACES_BITS = 13;
  private static final int ABSENT_BEFORE_BUILT = 64;
  private static final int STRANGERS_BEFORE_REPLACED = 1024;
  private static final int MOST_KEYS_TO_BEGIN_WITH = 1 << 13;
  private static final long MOST_BYTES = 32L << 20;

  private final AtomicReferenceArray<Place> places = new AtomicReferenceArray<>(1 << PLACES_BITS);
  private final AtomicLong bytesLeft = new AtomicLong(MOST_BYTES);
  private final Builder builder;
  private volatile boolean off;

  /** What came of building a filter. */
  public enum Built {
    COMPLETE,
    /** More rows than should be read at once. */
    TOO_LARGE,
    /** Commits are under way that may not know of the filter. */
    BUSY
  }

  /** Reads the keys of rows that are there. */
  public interface Builder {
    /**
     * Adds all keys that begin with a prefix, those of all commits included that may not know that
     * they are to add theirs.
     *
     * @param prefix a partition, and a byte more
     */
    Built addAll(Table table, byte[] prefix, int maxKeys, AbsenceFilter filter);
  }

  /** What is known of the rows with one prefix; counts as well as it can without waiting. */
  private static final class Place {
    private final Table table;
    private final byte[] prefix;
    private int absent;
    private int strangers;
    private boolean tooLarge;

    /** Null: nobody has begun one. */
    private volatile @Nullable AbsenceFilter filter;

    /** Whether all keys are in the filter. */
    private volatile boolean complete;

    private Place(Table table, byte[] prefix) {
      this.table = table;
      this.prefix = prefix;
    }

    private boolean isFor(Key key) {
      byte[] bytes = key.bytes();
      return bytes.length >= prefix.length
          && Arrays.equals(prefix, 0, prefix.length, bytes, 0, prefix.length)
          && (table == key.table() || table.equals(key.table()));
    }
  }

  public AbsenceFilters(Builder builder) {
    this.builder = builder;
  }

  /** Rows are going to be written past all commits. */
  public void turnOff() {
    off = true;
  }

  /** Whether it is certain that there is no such row, nor is one about to be shown. */
  public boolean isAbsent(Key key) {
    Place place = find(key);
    if (place == null || !place.complete || off) {
      return false;
    }
    AbsenceFilter filter = place.filter;
    if (filter == null || filter.mayContain(key.hash()) || off) {
      return false;
    }
    if (place.strangers != 0) { // it is of use, so it stays
      place.strangers = 0;
    }
    return true;
  }

  /** A row is about to be shown. */
  public void add(Key key) {
    Place place = find(key);
    if (place != null) {
      AbsenceFilter filter = place.filter;
      if (filter != null) {
        filter.add(key.hash());
      }
    }
  }

  /** A row was asked for and is not there. The caller holds no locks of rows. */
  public void noteAbsent(Key key) {
    int length = prefixLength(key);
    if (off || length == 0) {
      return;
    }
    int index = indexOf(key, length);
    Place place = places.get(index);
    if (place == null || !place.isFor(key)) {
      if (place == null || ++place.strangers > STRANGERS_BEFORE_REPLACED) {
        replace(index, place, new Place(key.table(), Arrays.copyOf(key.bytes(), length)));
      }
      return;
    }
    place.strangers = 0;
    AbsenceFilter filter = place.filter;
    if (filter != null && filter.isFull()) {
      replace(index, place, null); // to begin anew without the rows that have gone
    } else if (filter == null && !place.tooLarge && ++place.absent >= ABSENT_BEFORE_BUILT) {
      build(index, place);
    }
  }

  private void build(int index, Place place) {
    AbsenceFilter filter;
    synchronized (place) {
      if (place.filter != null || bytesLeft.get() <= 0) {
        return;
      }
      filter = new AbsenceFilter(bytesLeft);
      place.filter = filter;
    }
    Built built = Built.BUSY;
    try {
      built = builder.addAll(place.table, place.prefix, MOST_KEYS_TO_BEGIN_WITH, filter);
    } finally {
      if (built == Built.COMPLETE) {
        place.complete = true;
      } else { // it lacks keys and must never be asked
        Place fresh = new Place(place.table, place.prefix);
        fresh.tooLarge = built == Built.TOO_LARGE;
        replace(index, place, fresh);
      }
    }
  }

  private void replace(int index, @Nullable Place before, @Nullable Place after) {
    if (places.compareAndSet(index, before, after) && before != null) {
      AbsenceFilter filter = before.filter;
      if (filter != null) {
        filter.release();
      }
    }
  }

  private @Nullable Place find(Key key) {
    int length = prefixLength(key);
    if (length == 0) {
      return null;
    }
    Place place = places.get(indexOf(key, length));
    return place != null && place.isFor(key) ? place : null;
  }

  /** 0 where there are no filters. */
  private static int prefixLength(Key key) {
    int length = key.table().partitionLength();
    return length < key.bytes().length ? length + 1 : 0;
  }

  private static int indexOf(Key key, int length) {
    return (int) (Key.hash(key.table(), key.bytes(), 0, length) >>> Long.SIZE - PLACES_BITS);
  }
}
