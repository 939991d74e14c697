package io.acaciafs.kv.raft.compare;

import io.acaciafs.kv.Table;
import io.acaciafs.kv.check.CheckListener;
import io.acaciafs.kv.check.Pace;
import io.acaciafs.kv.raft.call.MemberConnection;
import io.acaciafs.kv.raft.compare.ComparedMember.UnansweredException;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One comparison of the members' stores, by the leader:
 *
 * <ol>
 *   <li>It announces a mark to each member; one that does not answer is not compared.
 *   <li>It appends the mark to the log. Each member keeps a view when it applies it, so that all
 *       show the same rows, and goes on.
 *   <li>It walks over its own view, and asks the others for digests of the same ranges.
 *   <li>Where one differs it asks all for the rows of the range.
 * </ol>
 *
 * <p>Memory is bounded by a range, whatever the size of the store. Used by one thread, once.
 */
public final class StoreComparison {
  private static final Logger LOG = LoggerFactory.getLogger(StoreComparison.class);
  private static final String STEP = "members";
  private static final int ROWS_OF_A_RANGE = 1_000;
  private static final long LONGEST_WAIT_MS = 30_000;
  private static final long LONGEST_RELEASE_MS = 2_000;
  private static final long LOOK_AGAIN_MS = 20;
  private static final long PROGRESS_NS = TimeUnit.SECONDS.toNanos(5);
  private static final byte[] FIRST_KEY = {};

  private final long id = new SecureRandom().nextLong() | 1; // never 0
  private final ComparedMember leader;
  private final List<ComparedMember> others = new ArrayList<>();
  private final List<Table> tables;
  private final Pace pace;
  private final CheckListener listener;
  private final RowDifferences differences;
  private long rows;
  private long progressNs = System.nanoTime() - PROGRESS_NS; // said at once, and then again

  /** Puts the mark of a comparison behind all that was committed before. */
  @FunctionalInterface
  public interface Marker {
    /**
     * Returns when this member has applied it.
     *
     * @throws IOException with a sentence for people when this member does not lead
     */
    void append(long id) throws IOException, InterruptedException;
  }

  /**
   * @param leader the name of this member
   * @param members all of them, this one too; closed at the end
   * @param tables all, of which passing ones are not compared: each member forgets their rows by
   *     the age of its own files
   */
  public StoreComparison(
      String leader,
      Map<String, MemberConnection> members,
      Set<Table> tables,
      Pace pace,
      CheckListener listener) {
    Map<String, ComparedMember> compared = new LinkedHashMap<>();
    members.forEach(
        (name, connection) -> compared.put(name, new ComparedMember(name, connection, id)));
    ComparedMember self = compared.remove(leader);
    if (self == null) {
      throw new IllegalArgumentException(leader + " is none of " + members.keySet());
    }
    this.leader = self;
    this.others.addAll(compared.values());
    this.tables =
        tables.stream()
            .filter(table -> !table.isPassing())
            .sorted(Comparator.comparing(Table::name))
            .toList();
    this.pace = pace;
    this.listener = listener;
    this.differences = new RowDifferences(leader, listener);
  }

  /**
   * Compares all, and tells what differs.
   *
   * @return rows of the leader that were compared with those of at least one other member
   * @throws IOException with a sentence for people when this member leads no more
   */
  public long run(Marker marker) throws IOException, InterruptedException {
    List<ComparedMember> all = all();
    try {
      announce();
      if (!others.isEmpty()) {
        marker.append(id);
        awaitViews();
        compareTables();
        differences.end();
      }
      return rows;
    } catch (UnansweredException e) {
      throw new IOException(
          "This NameNode could not go on with the comparison, as when it leads no more: "
              + e.getMessage(),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nothing is waited for any more
      throw e;
    } finally {
      release(all);
      all.forEach(ComparedMember::close);
    }
  }

  /** Waits a moment, so that requests are sent; a member that gets none gives its view up later. */
  private static void release(List<ComparedMember> members) {
    try {
      CompletableFuture.allOf(
              members.stream().map(ComparedMember::release).toArray(CompletableFuture[]::new))
          .get(LONGEST_RELEASE_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("A member keeps its view for a while", e);
    }
  }

  /** The leader first. */
  private List<ComparedMember> all() {
    List<ComparedMember> all = new ArrayList<>(List.of(leader));
    all.addAll(others);
    return all;
  }

  private void announce() throws UnansweredException, InterruptedException {
    Map<ComparedMember, CompletableFuture<byte[]>> begun = new LinkedHashMap<>();
    all().forEach(member -> begun.put(member, member.beginExpect()));
    for (Map.Entry<ComparedMember, CompletableFuture<byte[]>> one : begun.entrySet()) {
      try {
        one.getKey().await(one.getValue());
      } catch (UnansweredException e) {
        leaveOut(e, "was not compared");
      }
    }
  }

  /**
   * @throws UnansweredException of the leader itself, without which there is no comparison
   */
  private void leaveOut(UnansweredException why, String what) throws UnansweredException {
    if (!others.remove(why.member())) {
      throw why;
    }
    listener.notChecked(
        "The store of " + why.member().name() + " " + what + ": " + why.getMessage());
  }

  /** The leader has applied the mark; the others do so later, each in its time. */
  private void awaitViews() throws UnansweredException, InterruptedException {
    if (!leader.isTaken()) {
      throw leader.failure("its store gives no view of the moment");
    }
    long begunNs = System.nanoTime();
    List<ComparedMember> waiting = new ArrayList<>(others);
    while (!waiting.isEmpty()) {
      for (ComparedMember member : List.copyOf(waiting)) {
        try {
          if (member.isTaken()) {
            waiting.remove(member);
          }
        } catch (UnansweredException e) {
          waiting.remove(member);
          leaveOut(e, "was not compared");
        }
      }
      if (System.nanoTime() - begunNs > TimeUnit.MILLISECONDS.toNanos(LONGEST_WAIT_MS)) {
        waiting.forEach(this::leaveOutLate);
        return;
      }
      if (!waiting.isEmpty()) {
        TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MS);
        tellProgress();
      }
    }
  }

  private void leaveOutLate(ComparedMember member) {
    others.remove(member);
    listener.notChecked(
        "The store of "
            + member.name()
            + " was not compared: after "
            + LONGEST_WAIT_MS / 1_000
            + " s it had not come as far in the log, as one that lacks much of it, or was started"
            + " again meanwhile. Ask again when 'acacia raft status' shows that it is not behind");
  }

  private void compareTables() throws UnansweredException, InterruptedException {
    for (Table table : tables) {
      byte[] from = FIRST_KEY;
      while (from != null && !others.isEmpty()) {
        if (differences.areMany()) {
          listener.notChecked(
              "Rows from table " + table + " on were not compared, as so many differ already");
          return;
        }
        long begunNs = System.nanoTime();
        from = compareNext(table, from);
        pace.rest(System.nanoTime() - begunNs, 0);
        tellProgress();
      }
    }
  }

  /** Where the next range begins; null behind the last one. */
  private byte @Nullable [] compareNext(Table table, byte[] from)
      throws UnansweredException, InterruptedException {
    ComparedView.Slice own = leader.next(table, from, ROWS_OF_A_RANGE);
    Map<ComparedMember, CompletableFuture<byte[]>> begun = new LinkedHashMap<>();
    others.forEach(member -> begun.put(member, member.beginDigest(own.range())));
    boolean differs = false;
    for (Map.Entry<ComparedMember, CompletableFuture<byte[]>> one : begun.entrySet()) {
      try {
        differs |= !own.digest().equals(one.getKey().digest(one.getValue()));
      } catch (UnansweredException e) {
        leaveOut(e, "was compared only as far as table " + table);
      }
    }
    rows += others.isEmpty() ? 0 : own.digest().rows();
    while (differs && !others.isEmpty()) {
      try {
        differences.find(own.range(), all());
        break;
      } catch (UnansweredException e) {
        leaveOut(e, "was compared only as far as table " + table);
      }
    }
    return own.range().to();
  }

  private void tellProgress() {
    if (System.nanoTime() - progressNs >= PROGRESS_NS) {
      progressNs = System.nanoTime();
      listener.progress(STEP, rows, -1);
    }
  }
}
