package io.acaciafs.hbase.coprocessor;

import io.acaciafs.hbase.protocol.PageRequest;
import io.acaciafs.hbase.protocol.StoredPage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Pages of rows that were lately read, of all regions of a region server, by least recent use. A
 * change of a row takes the page that speaks for it out of the cache before HBase begins to write
 * it, and a read that began before is not kept. Pages do not overlap: a new one takes the place of
 * those that it meets, so at most one speaks for a row. Safe for use by many threads.
 */
final class PageCache {
  /** Part of the heap that pages may take. */
  static final String FRACTION_KEY = "hbase.coprocessor.acacia.page.cache.fraction";

  static final float DEFAULT_FRACTION = 0.05f;

  private static final int BYTES_A_PAGE = 300;

  /** The largest page that is kept, so that long scans do not displace what is read often. */
  private static final int LARGEST_PAGE = 1 << 15;

  /** The largest part of the cache that a page may take. */
  private static final int LARGEST_PART = 64;

  private static @Nullable PageCache ofServer;

  private final long mostBytes;

  /** By where they begin, and by their last use. */
  private final NavigableMap<Place, Kept> pages = new TreeMap<>();

  private final Map<Place, Kept> byUse = new LinkedHashMap<>(16, 0.75f, true);

  /** How many changes of a row are under way. */
  private final NavigableMap<Place, Integer> changing = new TreeMap<>();

  private final Set<Reading> readings = Collections.newSetFromMap(new IdentityHashMap<>());
  private long bytes;
  private int regions;

  PageCache(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** The one of this process. */
  static synchronized PageCache of(Configuration configuration) {
    if (ofServer == null) {
      float fraction = configuration.getFloat(FRACTION_KEY, DEFAULT_FRACTION);
      ofServer = new PageCache((long) (Runtime.getRuntime().maxMemory() * (double) fraction));
    }
    return ofServer;
  }

  /** A row of a region. */
  private static final class Place implements Comparable<Place> {
    private final int region;
    private final byte[] row;

    Place(int region, byte[] row) {
      this.region = region;
      this.row = row;
    }

    /** Whether it lies before the end of rows that begin at a place; an empty end is the last. */
    boolean isWithin(Place first, byte[] end) {
      return region == first.region
          && Arrays.compareUnsigned(row, first.row) >= 0
          && (end.length == 0 || Arrays.compareUnsigned(row, end) < 0);
    }

    @Override
    public int compareTo(Place other) {
      int byRegion = Integer.compare(region, other.region);
      return byRegion != 0 ? byRegion : Arrays.compareUnsigned(row, other.row);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Place && compareTo((Place) other) == 0;
    }

    @Override
    public int hashCode() {
      return 31 * Arrays.hashCode(row) + region;
    }
  }

  /** A page, and the rows that it speaks for. */
  private static final class Kept {
    private final Place first;
    private final byte[] end;
    private final PageRequest request;
    private final StoredPage page;

    Kept(Reading reading, StoredPage page, byte[] end) {
      this.first = reading.first;
      this.request = reading.request;
      this.page = page;
      this.end = end;
    }

    boolean isAnswerTo(PageRequest other) {
      return request.limit() == other.limit() && Arrays.equals(request.end(), other.end());
    }

    long bytes() {
      return BYTES_A_PAGE + first.row.length + 2L * end.length + page.bytes();
    }
  }

  /** A page that is being read from the region. */
  static final class Reading {
    private final Place first;
    private final PageRequest request;
    private boolean isOutdated;

    private Reading(int region, PageRequest request) {
      this.first = new Place(region, request.first());
      this.request = request;
    }
  }

  /** A number for a region that opens. */
  synchronized int newRegion() {
    return ++regions;
  }

  synchronized @Nullable StoredPage get(int region, PageRequest request) {
    Kept kept = byUse.get(new Place(region, request.first()));
    return kept != null && kept.isAnswerTo(request) ? kept.page : null;
  }

  /** To be called before a page is read from the region; {@link #end} has to follow. */
  synchronized Reading begin(int region, PageRequest request) {
    Reading reading = new Reading(region, request);
    Place changed = changing.ceilingKey(reading.first);
    reading.isOutdated = changed != null && changed.isWithin(reading.first, request.end());
    readings.add(reading);
    return reading;
  }

  /**
   * Keeps what was read, unless one of the rows asked for has begun to change.
   *
   * @param page null if the read failed
   * @param end the first row that the page does not speak for; empty for the end of the region
   */
  synchronized void end(Reading reading, @Nullable StoredPage page, byte[] end) {
    readings.remove(reading);
    if (page == null || reading.isOutdated) {
      return;
    }
    Kept kept = new Kept(reading, page, end);
    if (kept.bytes() > Math.min(LARGEST_PAGE, mostBytes / LARGEST_PART)) {
      return;
    }
    forgetAt(kept.first);
    for (Place next = pages.ceilingKey(kept.first);
        next != null && next.isWithin(kept.first, end);
        next = pages.ceilingKey(kept.first)) {
      forget(next);
    }
    pages.put(kept.first, kept);
    byUse.put(kept.first, kept);
    bytes += kept.bytes();
    while (bytes > mostBytes) {
      forget(byUse.keySet().iterator().next());
    }
  }

  synchronized void beginChange(int region, byte[] row) {
    Place place = new Place(region, row);
    changing.merge(place, 1, Integer::sum);
    forgetAt(place);
    for (Reading reading : readings) {
      reading.isOutdated |= place.isWithin(reading.first, reading.request.end());
    }
  }

  synchronized void endChange(int region, byte[] row) {
    changing.computeIfPresent(
        new Place(region, row), (place, changes) -> changes == 1 ? null : changes - 1);
  }

  synchronized void forgetAll(int region) {
    for (Place first : new ArrayList<>(pages.keySet())) {
      if (first.region == region) {
        forget(first);
      }
    }
    for (Reading reading : readings) {
      reading.isOutdated |= reading.first.region == region;
    }
  }

  /** Forgets the page that speaks for a row. */
  private void forgetAt(Place place) {
    Map.Entry<Place, Kept> before = pages.floorEntry(place);
    if (before != null && place.isWithin(before.getKey(), before.getValue().end)) {
      forget(before.getKey());
    }
  }

  private void forget(Place first) {
    Kept kept = pages.remove(first);
    byUse.remove(first);
    bytes -= kept == null ? 0 : kept.bytes();
  }
}
