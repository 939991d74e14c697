package io.acaciafs.namespace;

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
  private final Deque<Place> begun = new ArrayDeque<>();
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
    return begun.size() + level.size() - nextOfLevel + deeper.size();
  }

  void add(List<Locator> directories) {
    deeper.addAll(directories);
    heldByAll.addAndGet(directories.size());
  }

  /** One with several buckets, or that a slice of work has begun or did not come to. */
  void add(Place place) {
    begun.push(place);
    heldByAll.incrementAndGet();
  }

  /**
   * What is to be looked at next.
   *
   * @param most how many, at least 1
   * @return several only where they follow each other in the order of the keys, with one bucket
   *     each and from their beginning; empty when there is none
   */
  List<Place> take(int most) {
    if (size() == 0) {
      return List.of();
    }
    List<Place> taken = new ArrayList<>();
    if (heldByAll.get() > manyForAll && !deeper.isEmpty()) {
      taken.add(Place.of(deeper.remove(deeper.size() - 1)));
    } else if (!begun.isEmpty()) {
      taken.add(begun.pop());
    } else {
      takeOfLevel(most, taken);
    }
    heldByAll.addAndGet(-taken.size());
    return taken;
  }

  private void takeOfLevel(int most, List<Place> taken) {
    if (nextOfLevel == level.size()) {
      level = deeper;
      level.sort(null);
      nextOfLevel = 0;
      deeper = new ArrayList<>();
    }
    int end = Math.min(level.size(), nextOfLevel + most);
    while (nextOfLevel < end) {
      taken.add(Place.of(level.set(nextOfLevel++, null)));
    }
  }

  void clear() {
    heldByAll.addAndGet(-size());
    begun.clear();
    level = new ArrayList<>();
    nextOfLevel = 0;
    deeper = new ArrayList<>();
  }
}
