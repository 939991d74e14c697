package io.acaciafs.kv.raft.compare;

import static java.util.stream.Collectors.joining;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.check.CheckListener;
import io.acaciafs.kv.check.CheckListener.Outcome;
import io.acaciafs.kv.check.Finding;
import io.acaciafs.kv.raft.compare.ComparedMember.UnansweredException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tells in which rows members differ, and which of them are damaged: those that have something else
 * than most. Names the first rows of each member and counts the rest. Used by one thread.
 */
final class RowDifferences {
  private static final int MOST_NAMED = 20;

  /** More is not looked for: the store of a member is to be replaced anyway. */
  private static final long MOST_ROWS = 10_000;

  private final String leader;
  private final CheckListener listener;
  private long rows;

  /** How many rows by the members that differ from the others, as {@link #names} has them. */
  private final Map<String, Damage> damages = new LinkedHashMap<>();

  /** Of one member, or of several of which nobody knows which one is right. */
  private static final class Damage {
    private long rows;
    private long ranges;
  }

  RowDifferences(String leader, CheckListener listener) {
    this.leader = leader;
    this.listener = listener;
  }

  /** Whether so many rows differ that there is no use in looking for more. */
  boolean areMany() {
    return rows >= MOST_ROWS;
  }

  /**
   * Looks for the rows in which members differ.
   *
   * @param range in which they do
   */
  void find(KeyRange range, List<ComparedMember> members)
      throws UnansweredException, InterruptedException {
    List<RowHashes> all = members.stream().map(member -> new RowHashes(member, range)).toList();
    Map<String, Long> before = new LinkedHashMap<>();
    damages.forEach((names, damage) -> before.put(names, damage.rows));
    for (byte[] key = first(all); key != null && !areMany(); key = first(all)) {
      List<@Nullable Long> hashes = new ArrayList<>();
      for (RowHashes one : all) {
        hashes.add(one.take(key));
      }
      if (hashes.stream().anyMatch(hash -> !Objects.equals(hash, hashes.get(0)))) {
        rows++;
        note(new Key(range.table(), key), members, hashes);
      }
    }
    damages.forEach(
        (names, damage) -> damage.ranges += damage.rows > before.getOrDefault(names, 0L) ? 1 : 0);
  }

  private static byte @Nullable [] first(List<RowHashes> all)
      throws UnansweredException, InterruptedException {
    byte[] first = null;
    for (RowHashes one : all) {
      byte[] key = one.key();
      if (key != null && (first == null || Arrays.compareUnsigned(key, first) < 0)) {
        first = key;
      }
    }
    return first;
  }

  private void note(Key key, List<ComparedMember> members, List<@Nullable Long> hashes) {
    for (Long hash : hashes) {
      List<ComparedMember> same = with(members, hashes, hash, true);
      if (2 * same.size() > members.size()) {
        for (ComparedMember one : with(members, hashes, hash, false)) {
          Long own = hashes.get(members.indexOf(one));
          note(one.name(), key, kind(own, hash), text(one.name(), own, hash, same));
        }
        return;
      }
    }
    String names = names(members);
    note(
        names,
        key,
        "row-differs",
        spoken(members) + " do not agree on a row, and no majority says which of them is right.");
  }

  private static List<ComparedMember> with(
      List<ComparedMember> members, List<@Nullable Long> hashes, @Nullable Long hash, boolean is) {
    List<ComparedMember> with = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      if (Objects.equals(hashes.get(i), hash) == is) {
        with.add(members.get(i));
      }
    }
    return with;
  }

  private static String kind(@Nullable Long own, @Nullable Long right) {
    return own == null ? "row-missing" : right == null ? "row-added" : "row-differs";
  }

  private static String text(
      String name, @Nullable Long own, @Nullable Long right, List<ComparedMember> others) {
    if (own == null) {
      return name + " lacks a row that " + spoken(others) + " have.";
    }
    return right == null
        ? name + " has a row that " + spoken(others) + " do not have."
        : name + " has another value in a row than " + spoken(others) + ".";
  }

  private void note(String names, Key key, String kind, String text) {
    Damage damage = damages.computeIfAbsent(names, known -> new Damage());
    damage.rows++;
    if (damage.rows <= MOST_NAMED) {
      tell(
          kind,
          subject(names)
              + " table="
              + key.table()
              + " key="
              + HexFormat.of().formatHex(key.bytes()),
          text);
    }
  }

  private void tell(String kind, String subject, String text) {
    listener.found(Finding.damage(kind, subject, text, null), Outcome.FOUND);
  }

  private static String subject(String names) {
    return (names.contains(",") ? "members=" : "member=") + names;
  }

  /** All were compared: says of each damaged member what is to be done. */
  void end() {
    damages.forEach(
        (names, damage) -> {
          String counts =
              String.format(Locale.ROOT, " rows=%d ranges=%d", damage.rows, damage.ranges);
          tell("store-differs", subject(names) + counts, remedy(names));
        });
  }

  private String remedy(String names) {
    if (names.contains(",")) {
      return "The store of one of them is damaged. "
          + leader
          + " leads, so clients see what it has. Compare again with all members, and see docs/ha.md"
          + " for how to replace a store.";
    }
    return "The store of "
        + names
        + " is damaged. "
        + (names.equals(leader)
            ? "It leads: have another one lead ('acacia raft step-down'). Then stop "
            : "Stop ")
        + names
        + ", empty its folder, run 'acacia bootstrap' and start it again, see docs/ha.md.";
  }

  private static String names(List<ComparedMember> members) {
    return members.stream().map(ComparedMember::name).sorted().collect(joining(","));
  }

  private static String spoken(List<ComparedMember> members) {
    return members.stream().map(ComparedMember::name).sorted().collect(joining(" and "));
  }
}
