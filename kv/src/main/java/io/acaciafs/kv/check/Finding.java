package io.acaciafs.kv.check;

import org.jspecify.annotations.Nullable;

/**
 * Rows that contradict each other.
 *
 * @param isStale nobody is misled by it: an index row that was left behind, which whoever follows
 *     it finds out
 * @param kind a word for each kind of contradiction, for programs; stays the same from version to
 *     version
 * @param subject where it is: name=value, several with a space between
 * @param text a sentence for people
 * @param repair null: what is right cannot be known
 */
public record Finding(
    boolean isStale, String kind, String subject, String text, @Nullable Repair repair) {

  /** It misleads a reader. */
  public static Finding damage(String kind, String subject, String text, @Nullable Repair repair) {
    return new Finding(false, kind, subject, text, repair);
  }

  /** An index row that was left behind. */
  public static Finding stale(String kind, String subject, String text, @Nullable Repair repair) {
    return new Finding(true, kind, subject, text, repair);
  }

  boolean isSame(Finding other) {
    return kind.equals(other.kind) && subject.equals(other.subject);
  }
}
