package io.acaciafs.kv.hbase.region;

import io.acaciafs.kv.Peers;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.hbase.client.Failures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows which server has which region, and whether this process may believe the server's answers.
 * HBase fences the writes of a server that it took for dead, but not its reads: the server answers
 * with old rows until it learns of this. So a process tells all others before it uses an assignment
 * that is new to it. A process that hears of it no longer uses older assignments of the same rows;
 * see docs/internals/directory-leases.md.
 *
 * <p>Safe for use by many threads; never blocks.
 */
public final class Assignments {
  private static final Logger LOG = LoggerFactory.getLogger(Assignments.class);
  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private final ConcurrentNavigableMap<byte[], Assignment> byStartKey =
      new ConcurrentSkipListMap<>(Bytes.BYTES_COMPARATOR);
  private final CompletableFuture<Peers> connected = new CompletableFuture<>();
  private final RangeNumbers numbers = new RangeNumbers();

  /** Those that are over, while something that was sent by them may still take effect. */
  private final Map<Assignment, CompletableFuture<Void>> ending = new HashMap<>();

  private List<Assignment> toTell = new ArrayList<>();
  private boolean isTelling;

  /** Whether there may be other processes to tell. */
  private volatile boolean isBound;

  /** Null until this process can reach the others. */
  private volatile @Nullable Peers peers;

  /** Whether all others know this process. */
  private volatile boolean relies;

  /** From now on this process tells the others, as soon as it can reach them. */
  public void bind() {
    isBound = true;
  }

  public void connect(Peers others) {
    peers = others;
    connected.complete(others);
  }

  /** A write from now on proves that no process used a newer assignment before. */
  public void rely() {
    relies = true;
  }

  public boolean relies() {
    return relies;
  }

  /** What is known of the region of a row; null for nothing. */
  public @Nullable Assignment of(byte[] row) {
    Map.Entry<byte[], Assignment> known = byStartKey.floorEntry(row);
    return known == null || !known.getValue().region().containsRow(row) ? null : known.getValue();
  }

  /**
   * Takes note of where HBase says that a region is.
   *
   * @param found with a server
   * @return null when that is older than what is known
   */
  public synchronized @Nullable Assignment take(HRegionLocation found) {
    byte[] start = found.getRegion().getStartKey();
    byte[] end = found.getRegion().getEndKey();
    Assignment known = byStartKey.get(start);
    if (known != null && known.isThatOf(found)) {
      return known;
    }
    if (numbers.highest(start, end) > found.getSeqNum()) {
      return null;
    }
    end(start, end);
    numbers.raise(start, end, found.getSeqNum());
    Assignment taken = new Assignment(found);
    byStartKey.put(start, taken);
    return taken;
  }

  /** The assignment of a location that was found before; null if a newer one is known. */
  public @Nullable Assignment of(HRegionLocation place) {
    Assignment known = byStartKey.get(place.getRegion().getStartKey());
    return known != null && known.isThatOf(place) ? known : take(place);
  }

  /** Nothing that is known of a range is believed any more. */
  private void end(byte[] start, byte[] end) {
    Map.Entry<byte[], Assignment> first = byStartKey.floorEntry(start);
    if (first != null && first.getValue().overlaps(start, end)) {
      end(first.getValue());
    }
    Collection<Assignment> others =
        end.length == 0
            ? byStartKey.tailMap(start, true).values()
            : byStartKey.subMap(start, true, end, false).values();
    List.copyOf(others).forEach(this::end);
  }

  private void end(Assignment assignment) {
    byStartKey.remove(assignment.region().getStartKey(), assignment);
    CompletableFuture<Void> left = assignment.end();
    if (!left.isDone()) {
      ending.put(assignment, left);
      left.thenRun(() -> forget(assignment));
    }
  }

  private synchronized void forget(Assignment assignment) {
    ending.remove(assignment);
  }

  /** Completes when nothing that was sent by older ones of the same rows can take effect. */
  private synchronized CompletableFuture<Void> olderLeft(byte[] start, byte[] end) {
    CompletableFuture<?>[] left =
        ending.entrySet().stream()
            .filter(older -> older.getKey().overlaps(start, end))
            .map(Map.Entry::getValue)
            .toArray(CompletableFuture[]::new);
    return left.length == 0 ? DONE : CompletableFuture.allOf(left);
  }

  /**
   * Whether what a server said is believed without a proof. Call it when the answer is here, before
   * it is used.
   */
  public boolean mayRelyOn(Assignment assignment) {
    if (assignment.isOver()) {
      return false;
    }
    if (!isBound) {
      return true; // no other process uses the store, so none knows better
    }
    Peers others = peers;
    return assignment.isProven() && others != null && others.leaseHolds();
  }

  /** Completes when all others know of it, so that it may be used. */
  public CompletableFuture<Void> announced(Assignment assignment) {
    if (assignment.isAnnounced() || !isBound) {
      return DONE;
    }
    CompletableFuture<Void> announcement;
    synchronized (this) {
      if (assignment.announcement() != null) {
        return assignment.announcement();
      }
      announcement = new CompletableFuture<>();
      assignment.announcement(announcement);
      toTell.add(assignment);
    }
    tellNext();
    return announcement;
  }

  /**
   * The same for a read. Before this process can reach the others it serves no clients, and it
   * proves each read.
   */
  CompletableFuture<Void> announcedToRead(Assignment assignment) {
    return peers == null ? DONE : announced(assignment);
  }

  /**
   * Tells the others of all waiting assignments in one message. Further ones collect while the
   * message is under way.
   */
  private void tellNext() {
    List<Assignment> together;
    synchronized (this) {
      if (isTelling || toTell.isEmpty()) {
        return;
      }
      isTelling = true;
      together = toTell;
      toTell = new ArrayList<>();
    }
    connected
        .thenCompose(others -> others.tell(textOf(together)))
        .thenCombine(ownLeft(together), (answers, left) -> answers)
        .whenComplete(
            (answers, failure) -> {
              try {
                end(together, answers, failure);
              } finally {
                synchronized (this) {
                  isTelling = false;
                }
                tellNext();
              }
            });
  }

  private CompletableFuture<Void> ownLeft(List<Assignment> assignments) {
    return CompletableFuture.allOf(
        assignments.stream()
            .map(next -> olderLeft(next.region().getStartKey(), next.region().getEndKey()))
            .toArray(CompletableFuture[]::new));
  }

  private void end(List<Assignment> told, List<String> answers, Throwable failure) {
    Set<Integer> refused = failure == null ? refused(answers) : Set.of();
    for (int i = 0; i < told.size(); i++) {
      Assignment assignment = told.get(i);
      CompletableFuture<Void> announcement;
      boolean isRefused = refused.contains(i);
      synchronized (this) {
        announcement = Objects.requireNonNull(assignment.announcement(), "it is told");
        if (failure != null) {
          assignment.announcement(null); // to be tried again
        } else if (isRefused) {
          end(assignment);
        } else {
          assignment.noteAnnounced();
        }
      }
      if (failure != null) {
        announcement.completeExceptionally(Failures.causeOf(failure));
      } else if (isRefused) {
        announcement.completeExceptionally(
            new NotServingRegionException("Others know of a newer place than " + assignment));
      } else {
        announcement.complete(null);
      }
    }
    if (failure == null) {
      LOG.info(
          "All NameNodes know the new places of regions count={} refused={}", told.size(), refused);
    }
  }

  private static Set<Integer> refused(List<String> answers) {
    Set<Integer> refused = new TreeSet<>();
    for (String answer : answers) {
      if (!answer.isEmpty()) {
        Arrays.stream(answer.split(",")).map(Integer::valueOf).forEach(refused::add);
      }
    }
    return refused;
  }

  /** For each of them first row, row behind the last one, number. */
  private static String textOf(List<Assignment> assignments) {
    StringBuilder text = new StringBuilder();
    for (Assignment assignment : assignments) {
      text.append(text.length() == 0 ? "" : ",")
          .append(HexFormat.of().formatHex(assignment.region().getStartKey()))
          .append(':')
          .append(HexFormat.of().formatHex(assignment.region().getEndKey()))
          .append(':')
          .append(assignment.number());
    }
    return text.toString();
  }

  /**
   * Another process is about to use assignments. Older ones of the same rows are not believed any
   * more when this returns.
   *
   * @return completes with which of them are older than what is known here, when nothing that was
   *     sent by those ended here can take effect
   * @throws StoreException when it makes no sense
   */
  public CompletableFuture<String> receive(String message) {
    StringBuilder refused = new StringBuilder();
    List<CompletableFuture<Void>> left = new ArrayList<>();
    String[] all = message.split(",");
    try {
      for (int i = 0; i < all.length; i++) {
        String[] parts = all[i].split(":", -1);
        byte[] start = HexFormat.of().parseHex(parts[0]);
        byte[] end = HexFormat.of().parseHex(parts[1]);
        if (receive(start, end, Long.parseLong(parts[2]))) {
          left.add(olderLeft(start, end));
        } else {
          refused.append(refused.length() == 0 ? "" : ",").append(i);
        }
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new StoreException("Not a message of another store: " + message, e);
    }
    return CompletableFuture.allOf(left.toArray(CompletableFuture[]::new))
        .thenApply(done -> refused.toString());
  }

  private synchronized boolean receive(byte[] start, byte[] end, long number) {
    if (numbers.highest(start, end) > number) {
      return false;
    }
    numbers.raise(start, end, number);
    List<Assignment> older =
        byStartKey.values().stream()
            .filter(known -> known.overlaps(start, end) && known.number() < number)
            .toList();
    older.forEach(this::end);
    return true;
  }
}
