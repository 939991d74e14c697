package io.acaciafs.bench.compare;

import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.workload.Operation;
import io.acaciafs.bench.workload.Sizes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What is measured, and for how long.
 *
 * @param rounds how often each server has its turn at one operation
 * @param firstWarmUp before the first measurement of an operation, until the JVM has compiled it
 * @param warmUp before each further one
 * @param duration of a measurement
 * @param deletes how many files a measurement of delete removes, and as many before it: so many
 *     that most of them are removed by code that is compiled
 */
public record Plan(
    int rounds, Duration firstWarmUp, Duration warmUp, Duration duration, int deletes) {
  public static final Shape MANY_IN_FLIGHT = new Shape(16, 8);
  public static final Shape MANY_CLIENTS = new Shape(64, 1);

  /** What lets a replicated log take many operations at once. */
  static final Shape MANY_CHANGES = new Shape(16, 16);

  /** As many calls in flight as {@link #MANY_CLIENTS}. */
  static final Shape SOME_CLIENTS = new Shape(16, 4);

  private static final List<Operation> CHANGES =
      List.of(Operation.CREATE, Operation.MKDIR, Operation.RENAME, Operation.DELETE);

  private static final int DIRECTORIES = 100;
  private static final int DEPTH = 3;
  private static final int FILES_PER_DIRECTORY = 100;
  private static final int FILES_TO_CHANGE = 4_000;

  /** Every operation for minutes. */
  public static Plan thorough() {
    return new Plan(
        5, Duration.ofSeconds(20), Duration.ofSeconds(3), Duration.ofSeconds(10), 200_000);
  }

  /** All within ten minutes. */
  public static Plan quick() {
    return new Plan(3, Duration.ofSeconds(8), Duration.ofSeconds(2), Duration.ofSeconds(3), 60_000);
  }

  /**
   * One operation with one load.
   *
   * @param main whether it stands for the operation where there is room for one figure only
   */
  public record Item(Operation operation, Shape shape, boolean main) {}

  /** In the order of their turns. */
  static List<Item> items() {
    List<Item> items = new ArrayList<>();
    for (Operation read : List.of(Operation.STAT, Operation.OPEN, Operation.LIST)) {
      items.add(new Item(read, MANY_IN_FLIGHT, true));
      items.add(new Item(read, MANY_CLIENTS, false));
    }
    for (Operation change : CHANGES) {
      items.add(new Item(change, SOME_CLIENTS, true));
    }
    items.add(new Item(Operation.CREATE, MANY_CLIENTS, false));
    items.add(new Item(Operation.MIX, MANY_IN_FLIGHT, true));
    return items;
  }

  /** What several NameNodes agree on, with many calls in flight and with some. */
  public static List<Item> changes() {
    List<Item> items = new ArrayList<>();
    for (Operation change : CHANGES) {
      items.add(new Item(change, MANY_CHANGES, true));
      items.add(new Item(change, SOME_CLIENTS, false));
    }
    return items;
  }

  /** Stat, of the echo. */
  static Item echoItem(Shape shape) {
    return new Item(Operation.STAT, shape, true);
  }

  /** One network thread, where an echo takes least, and as many as a NameNode has. */
  static SortedSet<Integer> echoThreads() {
    return new TreeSet<>(List.of(1, Runtime.getRuntime().availableProcessors()));
  }

  public Sizes sizes(Operation operation) {
    int files = operation == Operation.DELETE ? deletes : FILES_TO_CHANGE;
    return new Sizes(DIRECTORIES, DEPTH, FILES_PER_DIRECTORY, files, 1);
  }
}
