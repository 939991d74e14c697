package io.acaciafs.kv.raft;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Has one follower after the other be cut off, stop, or lose power and start again, while the
 * leader and the other follower go on: no caller of the leader notices. A thread of its own, until
 * {@link #close}, which heals all.
 */
final class FollowerFaults implements AutoCloseable {
  private static final int LONGEST_MS = 300;
  private static final long END_LIMIT_MS = TimeUnit.MINUTES.toMillis(3);

  private final Trio trio;
  private final SimulatedNetwork network;
  private final Random random;
  private final CountDownLatch end = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "follower-faults");
  private volatile Throwable failure;

  /** What happens to a follower. */
  private enum Fault {
    IS_CUT_OFF,
    IS_NOT_HEARD,
    HEARS_NOTHING,
    STOPS,
    LOSES_POWER
  }

  private FollowerFaults(Trio trio, SimulatedNetwork network, long seed) {
    this.trio = trio;
    this.network = network;
    this.random = new Random(seed);
  }

  static FollowerFaults begin(Trio trio, SimulatedNetwork network, long seed) {
    FollowerFaults faults = new FollowerFaults(trio, network, seed);
    faults.thread.start();
    return faults;
  }

  private void run() {
    try {
      String leader = trio.awaitLeader();
      List<String> followers = Trio.NAMES.stream().filter(name -> !name.equals(leader)).toList();
      while (!end.await(random.nextInt(LONGEST_MS), TimeUnit.MILLISECONDS)) {
        if (!trio.hasEntryInEachLog()) {
          continue; // a group that was just made has no majority without each
        }
        String follower = followers.get(random.nextInt(followers.size()));
        happen(Fault.values()[random.nextInt(Fault.values().length)], follower);
        trio.awaitApplied(follower, trio.member(leader).raft.status().position());
      }
    } catch (IOException | InterruptedException | RuntimeException | AssertionError e) {
      failure = e;
    }
  }

  private void happen(Fault fault, String follower) throws IOException, InterruptedException {
    switch (fault) {
      case IS_CUT_OFF -> network.cutOff(follower);
      case IS_NOT_HEARD -> network.cutFrom(follower);
      case HEARS_NOTHING -> network.cutTo(follower);
      case STOPS -> trio.freeze(follower, network);
      case LOSES_POWER -> trio.losePower(List.of(follower), network, random);
    }
    end.await(random.nextInt(LONGEST_MS), TimeUnit.MILLISECONDS);
    switch (fault) {
      case STOPS -> trio.thaw(follower, network);
      case LOSES_POWER -> {
        network.heal();
        trio.start(follower);
      }
      default -> network.heal();
    }
  }

  /**
   * @throws AssertionError when a follower did not go on
   */
  @Override
  public void close() {
    end.countDown();
    try {
      thread.join(END_LIMIT_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      throw new AssertionError("The faults of followers do not end");
    }
    if (failure != null) {
      throw new AssertionError("A follower did not go on", failure);
    }
  }
}
