package io.acaciafs.kv.memory;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Decides which commit of a {@link MemoryStore} meets which fault. The same seed gives the same
 * faults to the same sequence of commits. Safe for use by many threads; outlives the store over
 * crashes.
 */
public final class Faults {
  private final @Nullable SplittableRandom random;
  private final Map<Fault, Double> rates = new EnumMap<>(Fault.class);
  private final Deque<Fault> planned = new ArrayDeque<>();
  private final boolean leaveAlways;

  private Faults(@Nullable SplittableRandom random, Map<Fault, Double> rates, boolean leaveAlways) {
    this.random = random;
    this.rates.putAll(rates);
    this.leaveAlways = leaveAlways;
  }

  /** Every commit completes at once, and a crash loses nothing. */
  public static Faults none() {
    return new Faults(null, Map.of(), false);
  }

  /**
   * Only what {@link #plan} asks for; whatever may stay behind of index rows always does, and what
   * is not durable is lost.
   */
  public static Faults onDemand() {
    return new Faults(null, Map.of(), true);
  }

  /**
   * Each commit that writes meets each fault with its own probability, at most one.
   *
   * @param rates probabilities from 0 to 1, together at most 1
   */
  public static Faults seeded(long seed, Map<Fault, Double> rates) {
    if (rates.values().stream().mapToDouble(Double::doubleValue).sum() > 1) {
      throw new IllegalArgumentException("Rates add up to more than 1: " + rates);
    }
    return new Faults(new SplittableRandom(seed), rates, false);
  }

  /** The next commits that write meet these, in this order, before anything drawn. */
  public synchronized void plan(Fault... faults) {
    planned.addAll(List.of(faults));
  }

  /** The fault of the next commit, null if it goes well. */
  synchronized @Nullable Fault next() {
    if (!planned.isEmpty()) {
      return planned.poll();
    }
    if (random == null) {
      return null;
    }
    double drawn = random.nextDouble();
    for (Map.Entry<Fault, Double> rate : rates.entrySet()) {
      drawn -= rate.getValue();
      if (drawn < 0) {
        return rate.getKey();
      }
    }
    return null;
  }

  /** Whether index rows that may stay behind do so this time. */
  synchronized boolean leavesIndexRows() {
    return random == null ? leaveAlways : random.nextBoolean();
  }

  /** How many of the first of {@code pending} commits survive a crash, though nobody was told. */
  synchronized int survivors(int pending) {
    return random == null ? 0 : random.nextInt(pending + 1);
  }
}
