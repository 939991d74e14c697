package io.acaciafs.namespace.summary;

import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.Locator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The directories that a walk has found and not yet been to. While there are few, it goes level by
 * level and in the order of the keys, so that neighbours in the store are read together; once all
 * walks together hold too many, each goes down first, and then holds little more than the
 * directories beside its path. Guarded by its walk.
 */
final class PendingDirectories {
  /**
   * A directory to look at.
   *
   * @param buckets as they were when the directory was seen
   * @param after name of the last entry that was seen; empty: nothing was
   */
  @SuppressWarnings("ArrayRecordComponent") // a name
  record Place(Locator directory, Buckets buckets, byte[] after) {
    /** One with one bucket. */
    private static Place of(Locator directory) {
      return new Place(directory, Buckets.ONE, NO_NAME);
    }
  }

  private static final byte[] NO_NAME = {};

  private final AtomicLong heldByAll;
  private final long manyForAll;
  private final Deque<List<Place>> begun = new ArrayDeque<>();
  private int placesBegun;
  private List<Locator> level = new ArrayList<>();
  private int nextOfLevel;
  private List<Locator> deeper = new ArrayList<>();

  /**
   * @param heldByAll counts the directories of all walks
   */
  PendingDirectories(AtomicLong heldByAll, long manyForAll) {
    this.heldByAll = heldByAll;
    this.manyForAll = manyForAll;
  }

  int size() {
    return placesBegun + level.size() - nextOfLevel + deeper.size();
  }

  void add(List<Locator> directories) {
    deeper.addAll(directories);
    heldByAll.addAndGet(directories.size());
  }

  /** One that is to be looked at by itself. */
  void add(Place place) {
    addTogether(List.of(place));
  }

  /** What was taken together and not come to; at least one. */
  void addTogether(List<Place> places) {
    begun.push(places);
    placesBegun += places.size();
    heldByAll.addAndGet(places.size());
  }

  /**
   * What is to be looked at next.
   *
   * @param most how many that were never taken before, at least 1
   * @return several only where they follow each other in the order of the keys, with one bucket
   *     each and from their beginning; empty when there is none
   */
  List<Place> take(int most) {
    if (size() == 0) {
      return List.of();
    }
    List<Place> taken;
    if (heldByAll.get() > manyForAll && !deeper.isEmpty()) {
      taken = takeOfDeeper(most);
    } else if (!begun.isEmpty()) {
      taken = begun.pop();
      placesBegun -= taken.size();
    } else {
      taken = takeOfLevel(most);
    }
    heldByAll.addAndGet(-taken.size());
    return taken;
  }

  /** Those that were found last, as they were found beside each other. */
  private List<Place> takeOfDeeper(int most) {
    List<Locator> last = deeper.subList(Math.max(0, deeper.size() - most), deeper.size());
    List<Place> taken = last.stream().sorted().map(Place::of).toList();
    last.clear();
    return taken;
  }

  private List<Place> takeOfLevel(int most) {
    if (nextOfLevel == level.size()) {
      level = deeper;
      level.sort(null);
      nextOfLevel = 0;
      deeper = new ArrayList<>();
    }
    List<Place> taken = new ArrayList<>();
    int end = Math.min(level.size(), nextOfLevel + most);
    while (nextOfLevel < end) {
      taken.add(Place.of(level.set(nextOfLevel++, null)));
    }
    return taken;
  }

  void clear() {
    heldByAll.addAndGet(-size());
    begun.clear();
    placesBegun = 0;
    level = new ArrayList<>();
    nextOfLevel = 0;
    deeper = new ArrayList<>();
  }
}
