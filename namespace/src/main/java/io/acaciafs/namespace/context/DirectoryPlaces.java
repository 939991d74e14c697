package io.acaciafs.namespace.context;

import io.acaciafs.kv.Key;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Deals the placement groups of a store to new directories, as cards are dealt: directories made
 * one after the other lie in different ones until each has had its turn. A hash alone gives one of
 * eight servers a quarter more than its part of 256 directories, and a client that works in all of
 * them waits for it. The order is drawn anew in each round, as every n-th directory may be the one
 * that is busy. Safe for use by many threads.
 */
final class DirectoryPlaces {
  /** So often the wanted one is missed once in five hundred times, if there are sixteen. */
  private static final int MOST_LOOKED_AT = 100;

  private final ToIntFunction<Key> neighbourhoodOf;
  private final RandomGenerator random;

  /** Those of this round first, {@link #left} of them; those that had their turn behind. */
  private final int[] placementGroups;

  private int left;

  /**
   * @param count how many placement groups there are, numbered from 0
   */
  DirectoryPlaces(int count, ToIntFunction<Key> neighbourhoodOf, RandomGenerator random) {
    this.placementGroups = IntStream.range(0, count).toArray();
    this.neighbourhoodOf = neighbourhoodOf;
    this.random = random;
  }

  /**
   * The locator of a new directory, whose own rows lie in the next placement group, most likely.
   */
  Locator next(long directoryId) {
    int wanted = deal();
    Locator locator = Locator.spread(directoryId);
    for (int i = 1; i < MOST_LOOKED_AT && placementGroup(locator) != wanted; i++) {
      locator = Locator.spread(directoryId, i);
    }
    return locator;
  }

  private int placementGroup(Locator locator) {
    return neighbourhoodOf.applyAsInt(NamespaceKeys.header(locator));
  }

  private synchronized int deal() {
    if (left == 0) {
      left = placementGroups.length;
    }
    int drawn = random.nextInt(left--);
    int dealt = placementGroups[drawn];
    placementGroups[drawn] = placementGroups[left];
    placementGroups[left] = dealt;
    return dealt;
  }
}
