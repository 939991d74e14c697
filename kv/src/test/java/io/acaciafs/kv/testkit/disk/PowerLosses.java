package io.acaciafs.kv.testkit.disk;

import io.acaciafs.kv.testkit.disk.DiskTrace.Op;
import io.acaciafs.kv.testkit.disk.SimulatedDisk.Luck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Fails the power at random moments of a trace, and has a test look at each disk that is left. */
public final class PowerLosses {
  /** Looks at one state of the disk. */
  @FunctionalInterface
  public interface Check {
    /**
     * @param left holds what the traced folder may hold; is removed afterwards
     * @param done how many operations of the trace came before the loss
     */
    void check(Path left, int done) throws Exception;
  }

  private final Path scratch;
  private final long seed;
  private final Random random;

  /**
   * @param scratch where states are made
   */
  public PowerLosses(Path scratch, long seed) {
    this.scratch = scratch;
    this.seed = seed;
    this.random = new Random(seed);
  }

  /**
   * Runs the check on each state.
   *
   * @param cuts power fails after so many operations
   * @param follower sees each operation before the states after it are checked
   * @throws AssertionError of the check, with the moment and the seed
   */
  public void check(List<Op> ops, IntStream cuts, Consumer<Op> follower, Check check)
      throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    int done = 0;
    for (int cut : cuts.sorted().toArray()) {
      for (; done < cut; done++) {
        disk.apply(ops.get(done));
        follower.accept(ops.get(done));
      }
      Luck data = Luck.values()[random.nextInt(Luck.values().length)];
      Luck names = Luck.values()[random.nextInt(Luck.SECTORS.ordinal())];
      Path left = Files.createDirectory(scratch.resolve("left"));
      disk.writeTo(left, data, names, random);
      try {
        check.check(left, cut);
      } catch (Exception | AssertionError e) {
        String next = cut < ops.size() ? ops.get(cut).type() + " " + ops.get(cut).path() : "end";
        throw new AssertionError(
            String.format(
                "seed %d, power failed after %d of %d steps (%s), data %s, names %s",
                seed, cut, ops.size(), next, data, names),
            e);
      }
      remove(left);
    }
  }

  private static void remove(Path where) throws IOException {
    try (Stream<Path> all = Files.walk(where)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
