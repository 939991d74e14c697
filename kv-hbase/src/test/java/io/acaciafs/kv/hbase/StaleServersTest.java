package io.acaciafs.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Peers;
import io.acaciafs.kv.hbase.region.Assignment;
import io.acaciafs.kv.hbase.region.Assignments;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.junit.jupiter.api.Test;

/**
 * Processes read and write one region while servers take it from each other without always
 * noticing; every step may take any time. The region holds a growing number. No process may read a
 * smaller number than another process read, or wrote with an acknowledgement, before.
 */
class StaleServersTest {
  private static final int RUNS = 200;
  private static final int STEPS = 600;
  private static final byte[] ROW = {5};
  private static final RegionInfo REGION =
      RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();

  /** What is left out of the protocol, to see that the runs would show it. */
  private enum Without {
    NOTHING,
    LOOKING_WHO_HAS_IT,
    TELLING_OTHERS,
    LEASES
  }

  @Test
  void noReadShowsAnOlderState() {
    assertThat(wrongRuns(Without.NOTHING)).isEmpty();
  }

  @Test
  void mostRunsReadMuch() {
    int reads =
        IntStream.range(0, RUNS)
            .mapToObj(seed -> new Run(seed, Without.NOTHING))
            .mapToInt(Run::playAndCount)
            .sum();
    assertThat(reads).isGreaterThan(10 * RUNS);
  }

  @Test
  void eachPartOfItIsNeeded() {
    for (Without part : Without.values()) {
      if (part != Without.NOTHING) {
        assertThat(wrongRuns(part)).as("without %s", part).isNotEmpty();
      }
    }
  }

  private static List<String> wrongRuns(Without part) {
    return IntStream.range(0, RUNS)
        .mapToObj(seed -> new Run(seed, part))
        .flatMap(run -> run.play().stream())
        .toList();
  }

  /** A server's idea of the region. */
  private static final class Opening {
    private final HRegionLocation place;
    private long durable;
    private long visible;
    private boolean isFenced;

    Opening(HRegionLocation place, long value) {
      this.place = place;
      this.durable = value;
      this.visible = value;
    }
  }

  private static final class Run {
    private final long seed;
    private final Without without;
    private final Random random;
    private final List<Runnable> pending = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();

    /** By the server's name: a process that lost the region without knowing it answers reads. */
    private final Map<ServerName, Opening> openings = new HashMap<>();

    private final List<HRegionLocation> places = new ArrayList<>();
    private final List<Node> members = new ArrayList<>();
    private final List<Node> all = new ArrayList<>();
    private Opening current;
    private int serversStarted;
    private int nodesStarted;
    private int reads;

    /** A number that some process knows. */
    private long known;

    Run(long seed, Without without) {
      this.seed = seed;
      this.without = without;
      this.random = new Random(seed);
    }

    List<String> play() {
      open(newServer());
      for (int i = 0; i < 3; i++) {
        join();
      }
      for (int step = 0; step < STEPS; step++) {
        int what = random.nextInt(100);
        if (what < 4) {
          move();
        } else if (what < 6) {
          endOne();
        } else if (what < 8 && members.size() < 5) {
          join();
        } else if (what < 20) {
          all.get(random.nextInt(all.size())).read(); // also who is taken for dead
        } else if (what < 26) {
          node().write();
        } else {
          goOn();
        }
      }
      for (int step = 0; step < STEPS && !pending.isEmpty(); step++) {
        goOn();
      }
      return wrong;
    }

    int playAndCount() {
      play();
      return reads;
    }

    private Node node() {
      return members.get(random.nextInt(members.size()));
    }

    private void goOn() {
      if (!pending.isEmpty()) {
        pending.remove(random.nextInt(pending.size())).run();
      }
    }

    private void later(Runnable next) {
      pending.add(next);
    }

    // ---- HBase

    private ServerName newServer() {
      return ServerName.valueOf("server", 1, ++serversStarted);
    }

    private void open(ServerName server) {
      long value = current == null ? 0 : current.durable;
      HRegionLocation place = new HRegionLocation(REGION, server, places.size() + 1L);
      current = new Opening(place, value);
      openings.put(server, current);
      places.add(place);
    }

    /** In order, also to a server that had it before; or as one was taken for dead. */
    private void move() {
      Opening before = current;
      before.isFenced = true;
      if (random.nextBoolean()) {
        openings.remove(before.place.getServerName());
        List<ServerName> others =
            places.stream()
                .map(HRegionLocation::getServerName)
                .filter(server -> !openings.containsKey(server) && !dead.contains(server))
                .filter(server -> !server.equals(before.place.getServerName()))
                .toList();
        boolean isBack = !others.isEmpty() && random.nextBoolean();
        open(isBack ? others.get(random.nextInt(others.size())) : newServer());
      } else {
        dead.add(before.place.getServerName());
        open(newServer());
        if (random.nextBoolean()) { // else it does not notice
          later(() -> openings.remove(before.place.getServerName()));
        }
      }
    }

    private final Set<ServerName> dead = new HashSet<>();

    /** HBase's own answer may be old as well. */
    private HRegionLocation find() {
      return places.get(Math.max(0, places.size() - 1 - random.nextInt(2)));
    }

    // ---- members

    private void join() {
      Node node = new Node(++nodesStarted);
      node.live.addAll(members);
      members.add(node);
      all.add(node);
      node.assignments.bind();
      node.assignments.connect(node);
      List<Node> asked = List.copyOf(node.live);
      int[] missing = {asked.size()};
      if (asked.isEmpty()) {
        node.assignments.rely();
      }
      for (Node other : asked) {
        later(
            () -> {
              other.live.add(node);
              later(
                  () -> {
                    if (--missing[0] == 0) {
                      node.assignments.rely();
                    }
                  });
            });
      }
    }

    /** First it trusts its lease no more, then others take it for dead. */
    private void endOne() {
      if (members.size() < 2) {
        return;
      }
      Node node = node();
      node.leaseHolds = without == Without.LEASES;
      later(
          () -> {
            if (members.size() < 2) {
              return;
            }
            members.remove(node);
            node.isGone = true;
            List.copyOf(node.awaited).forEach(each -> each.complete(null));
          });
    }

    private final class Node implements Peers {
      private final int number;
      private final Assignments assignments = new Assignments();
      private final Set<Node> live = new HashSet<>();
      private final List<CompletableFuture<String>> awaited = new ArrayList<>();
      private boolean leaseHolds = true;
      private boolean isGone;

      Node(int number) {
        this.number = number;
      }

      @Override
      public boolean leaseHolds() {
        return leaseHolds;
      }

      @Override
      public CompletableFuture<List<String>> tell(String message) {
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (Node other : live) {
          if (other.isGone || without == Without.TELLING_OTHERS) {
            continue;
          }
          CompletableFuture<String> answer = new CompletableFuture<>();
          answers.add(answer);
          other.awaited.add(answer);
          later(
              () -> {
                CompletableFuture<String> heard = other.assignments.receive(message);
                heard.thenAccept(said -> later(() -> answer.complete(said)));
              });
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
            .thenApply(
                all ->
                    answers.stream()
                        .map(CompletableFuture::join)
                        .filter(said -> said != null)
                        .toList());
      }

      private void withAssignment(java.util.function.Consumer<Assignment> next, int attempts) {
        Assignment found = assignments.of(ROW);
        Assignment assignment =
            found == null || random.nextInt(4) == 0 ? assignments.take(find()) : found;
        if (assignment == null) {
          again(next, attempts);
          return;
        }
        assignments
            .announced(assignment)
            .whenComplete(
                (told, failure) -> {
                  if (failure == null) {
                    later(() -> next.accept(assignment));
                  } else {
                    again(next, attempts);
                  }
                });
      }

      private void again(java.util.function.Consumer<Assignment> next, int attempts) {
        if (attempts > 0) {
          later(() -> withAssignment(next, attempts - 1));
        }
      }

      void read() {
        long atLeast = known;
        withAssignment(
            by -> {
              Opening opening = openings.get(by.server());
              if (opening != null) {
                long value = opening.visible;
                later(() -> judge(by, value, atLeast));
              }
            },
            3);
      }

      private void judge(Assignment by, long value, long atLeast) {
        if (without == Without.LOOKING_WHO_HAS_IT || assignments.mayRelyOn(by)) {
          believe(by, value, atLeast);
          return;
        }
        by.prove(this::prove)
            .thenAccept(
                isProven -> {
                  if (isProven && !by.isOver()) {
                    believe(by, value, atLeast);
                  }
                });
      }

      private CompletableFuture<Boolean> prove(Assignment by) {
        CompletableFuture<Boolean> outcome = new CompletableFuture<>();
        boolean relied = assignments.relies();
        later(
            () -> {
              boolean isWritten = isWritable(by);
              later(
                  () -> {
                    if (isWritten && relied) {
                      by.noteProven();
                    }
                    outcome.complete(isWritten);
                  });
            });
        return outcome;
      }

      private boolean isWritable(Assignment by) {
        return openings.get(by.server()) == current && !current.isFenced;
      }

      private void believe(Assignment by, long value, long atLeast) {
        reads++;
        if (value < atLeast) {
          wrong.add(
              "seed %d: node %d reads %d by %s, and %d was known before"
                  .formatted(seed, number, value, by, atLeast));
        }
        known = Math.max(known, value);
      }

      void write() {
        withAssignment(
            by -> {
              if (!by.enter()) {
                return;
              }
              boolean[] isTaken = {false};
              later(() -> arrive(by, isTaken));
              if (random.nextInt(3) == 0) {
                later(() -> giveUp(by, isTaken));
              }
            },
            3);
      }

      /** The request; its pass may have been taken away. */
      private void arrive(Assignment by, boolean[] isTaken) {
        Opening opening = openings.get(by.server());
        if (isTaken[0]) {
          return;
        }
        if (opening != current) {
          isTaken[0] = true;
          by.leave();
          return;
        }
        isTaken[0] = true;
        long value = ++opening.durable;
        later(
            () -> {
              opening.visible = Math.max(opening.visible, value);
              later(
                  () -> {
                    known = Math.max(known, value);
                    by.leave();
                  });
            });
      }

      /** Takes the pass away, where the region is now. */
      private void giveUp(Assignment by, boolean[] isTaken) {
        if (!isTaken[0]) {
          isTaken[0] = true;
          by.leave();
        }
      }
    }
  }
}
