package io.acaciafs.namenode.fsck;

import java.util.ArrayList;
import java.util.List;

/** What was found in one file. Used by one thread, which changes the fields. */
final class FileFindings {
  /** A line a block. */
  final StringBuilder report = new StringBuilder();

  /** Blocks on too few racks. */
  final List<Long> misReplicated = new ArrayList<>();

  int number;
  int missing;
  long missingBytes;
  int corrupt;
  long corruptBytes;
  int underReplicated;

  boolean isDamaged() {
    return missing > 0 || corrupt > 0;
  }

  boolean isFine() {
    return !isDamaged() && underReplicated == 0 && misReplicated.isEmpty();
  }

  /**
   * @param prefix of each of the two things that may be said
   * @param end likewise
   */
  String damage(String prefix, String end) {
    return (missing > 0 ? damage(prefix, "MISSING", missing, missingBytes) + end : "")
        + (corrupt > 0 ? damage(prefix, "CORRUPT", corrupt, corruptBytes) + end : "");
  }

  private static String damage(String prefix, String what, int blocks, long bytes) {
    return prefix + " " + what + " " + blocks + " blocks of total size " + bytes + " B";
  }
}
