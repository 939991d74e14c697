package io.acaciafs.kv.testkit;

import io.acaciafs.kv.Key;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What committed transactions read and wrote, and the search for an order that explains it.
 *
 * <p>Adya's graph (Weak Consistency, 1999): who wrote before whom, who read whose write, who read
 * what another then wrote over; and, for strictness, who ended before whom began. A cycle means
 * that no order exists. Real time goes through one node for each end, so that edges stay few.
 */
public final class History {
  /** The version of a row that nobody wrote yet. */
  public static final long ABSENT = 0;

  /**
   * A committed transaction.
   *
   * @param begunNs before its begin
   * @param endedNs after its commit completed
   * @param read the version of each row that it guarded
   * @param written the version that it made; its rows are among those it read
   */
  public record Entry(long begunNs, long endedNs, Map<Key, Long> read, Map<Key, Long> written) {}

  private record Version(Key key, long number) {}

  private final List<Entry> entries;
  private final Map<Key, Long> last;
  private final Map<Version, Integer> writers = new HashMap<>();
  private final Map<Version, Integer> successors = new HashMap<>();
  private final List<Set<Integer>> edges = new ArrayList<>();

  /**
   * @param last the version of each row at the end
   */
  public History(List<Entry> entries, Map<Key, Long> last) {
    this(entries, List.of(), last);
  }

  /**
   * A history with transactions of which nobody knows whether they took effect. One did if a
   * version that it made was read, or is there at the end; it may have done so at any time since
   * its begin.
   *
   * @param last the version of each row at the end
   */
  public History(List<Entry> committed, List<Entry> unknown, Map<Key, Long> last) {
    this.entries = new ArrayList<>(committed);
    this.last = last;
    Set<Version> seen = new HashSet<>();
    last.forEach((key, number) -> seen.add(new Version(key, number)));
    committed.forEach(entry -> entry.read.forEach((k, n) -> seen.add(new Version(k, n))));
    List<Entry> rest = new ArrayList<>(unknown);
    boolean more = true;
    while (more) {
      more = false;
      for (Entry entry : List.copyOf(rest)) {
        if (entry.written.entrySet().stream()
            .anyMatch(write -> seen.contains(new Version(write.getKey(), write.getValue())))) {
          entries.add(new Entry(entry.begunNs, Long.MAX_VALUE, entry.read, entry.written));
          entry.read.forEach((key, number) -> seen.add(new Version(key, number)));
          rest.remove(entry);
          more = true;
        }
      }
    }
  }

  /** How many transactions took effect. */
  public int committed() {
    return entries.size();
  }

  /** Why no order explains this history; null when one does. */
  public String violation() {
    for (int i = 0; i < entries.size(); i++) {
      edges.add(new HashSet<>());
    }
    String violation = orderVersions();
    if (violation == null) {
      violation = connectReads();
    }
    if (violation == null) {
      connectTimes();
      violation = findCycle();
    }
    return violation;
  }

  private String orderVersions() {
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      for (Map.Entry<Key, Long> write : entry.written().entrySet()) {
        Key key = write.getKey();
        writers.put(new Version(key, write.getValue()), i);
        Integer other = successors.put(new Version(key, entry.read().get(key)), i);
        if (other != null) {
          return "Lost update of " + key + ": " + entries.get(other) + " and " + entry;
        }
      }
    }
    for (Map.Entry<Key, Long> row : last.entrySet()) {
      if (successors.containsKey(new Version(row.getKey(), row.getValue()))) {
        return "The last version was written over: " + row;
      }
    }
    return null;
  }

  private String connectReads() {
    for (int i = 0; i < entries.size(); i++) {
      for (Map.Entry<Key, Long> read : entries.get(i).read().entrySet()) {
        Version version = new Version(read.getKey(), read.getValue());
        Integer writer = writers.get(version);
        if (writer == null && read.getValue() != ABSENT) {
          return "Read what nobody committed: " + read + " in " + entries.get(i);
        }
        if (writer != null) {
          edges.get(writer).add(i);
        }
        Integer successor = successors.get(version);
        if (successor != null && successor != i) {
          edges.get(i).add(successor);
        }
      }
    }
    return null;
  }

  private void connectTimes() {
    List<Integer> byBegin = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      byBegin.add(i);
    }
    List<Integer> byEnd = new ArrayList<>(byBegin);
    byBegin.sort(Comparator.comparingLong(i -> entries.get(i).begunNs()));
    byEnd.sort(Comparator.comparingLong(i -> entries.get(i).endedNs()));
    int ended = 0;
    for (int begun : byBegin) {
      while (entries.get(byEnd.get(ended)).endedNs() < entries.get(begun).begunNs()) {
        int moment = edges.size();
        edges.add(new HashSet<>());
        edges.get(byEnd.get(ended)).add(moment);
        if (ended > 0) {
          edges.get(moment - 1).add(moment);
        }
        ended++;
      }
      if (ended > 0) {
        edges.get(edges.size() - 1).add(begun);
      }
    }
  }

  private String findCycle() {
    int[] incoming = new int[edges.size()];
    edges.forEach(targets -> targets.forEach(target -> incoming[target]++));
    Deque<Integer> free = new ArrayDeque<>();
    for (int i = 0; i < incoming.length; i++) {
      if (incoming[i] == 0) {
        free.add(i);
      }
    }
    int ordered = 0;
    while (!free.isEmpty()) {
      ordered++;
      for (int target : edges.get(free.remove())) {
        if (--incoming[target] == 0) {
          free.add(target);
        }
      }
    }
    if (ordered == incoming.length) {
      return null;
    }
    StringBuilder stuck = new StringBuilder("A cycle among, or before, these:");
    for (int i = 0; i < entries.size(); i++) {
      if (incoming[i] > 0 && stuck.length() < 2_000) {
        stuck.append("\n  ").append(entries.get(i));
      }
    }
    return stuck.toString();
  }
}
