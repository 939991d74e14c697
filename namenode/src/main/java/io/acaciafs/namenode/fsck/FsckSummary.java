package io.acaciafs.namenode.fsck;

/**
 * The figures at the end of a report. Source of the texts: HDFS 3.5's NamenodeFsck, whose numbers
 * tools read from there.
 *
 * @param replication dfs.replication
 * @param minReplication dfs.namenode.replication.min
 */
record FsckSummary(FsckCounts counts, int replication, int minReplication) {
  private static final String STARS = "\n  ********************************";

  /** Lines without the last one's end. */
  String text() {
    StringBuilder text = new StringBuilder();
    text.append(" Total size:\t").append(counts.sizeBytes).append(" B");
    inBrackets(text, "Total open files size: ", counts.openSizeBytes, " B");
    text.append("\n Total files:\t").append(counts.files);
    inBrackets(text, "Files currently being written: ", counts.openFiles, "");
    text.append("\n Total blocks (validated):\t").append(counts.blocks);
    if (counts.blocks > 0) {
      text.append(" (avg. block size ").append(counts.sizeBytes / counts.blocks).append(" B)");
    }
    inBrackets(text, "Total open file blocks (not validated): ", counts.openBlocks, "");
    damage(text);
    share(text, "\n Minimally replicated blocks:\t", counts.minimallyReplicated);
    share(text, "\n Over-replicated blocks:\t", counts.overReplicated);
    share(text, "\n Under-replicated blocks:\t", counts.underReplicated);
    share(text, "\n Mis-replicated blocks:\t\t", counts.misReplicated);
    text.append("\n Default replication factor:\t").append(replication);
    text.append("\n Average block replication:\t").append(average());
    text.append("\n Missing blocks:\t\t").append(counts.missingBlocks);
    text.append("\n Corrupt blocks:\t\t").append(counts.corruptBlocks);
    text.append("\n Missing replicas:\t\t").append(counts.missingReplicas);
    if (counts.replicas > 0) {
      percent(text, counts.missingReplicas, counts.expectedReplicas);
    }
    unlessNone(text, "\n DecommissionedReplicas:\t", counts.decommissioned);
    unlessNone(text, "\n DecommissioningReplicas:\t", counts.decommissioning);
    unlessNone(text, "\n EnteringMaintenanceReplicas:\t", counts.enteringMaintenance);
    unlessNone(text, "\n InMaintenanceReplicas:\t", counts.inMaintenance);
    return text.append("\n Blocks queued for replication:\t").append(counts.queued).toString();
  }

  /** The same of erasure-coded files, of which there are none. */
  static String noErasureCoding() {
    return String.join(
        "\n",
        " Total size:\t0 B",
        " Total files:\t0",
        " Total block groups (validated):\t0",
        " Minimally erasure-coded block groups:\t0",
        " Over-erasure-coded block groups:\t0",
        " Under-erasure-coded block groups:\t0",
        " Unsatisfactory placement block groups:\t0",
        " Average block group size:\t0.0",
        " Missing block groups:\t\t0",
        " Corrupt block groups:\t\t0",
        " Missing internal blocks:\t0",
        " Blocks queued for replication:\t0");
  }

  private void damage(StringBuilder text) {
    if (counts.corruptFiles == 0 && counts.underMinReplicated == 0) {
      return;
    }
    text.append(STARS);
    if (counts.underMinReplicated > 0) {
      share(text, "\n  UNDER MIN REPL'D BLOCKS:\t", counts.underMinReplicated);
      text.append("\n  MINIMAL BLOCK REPLICATION:\t").append(minReplication);
    }
    if (counts.corruptFiles > 0) {
      text.append("\n  CORRUPT FILES:\t").append(counts.corruptFiles);
      if (counts.missingBytes > 0) {
        text.append("\n  MISSING BLOCKS:\t").append(counts.missingBlocks);
        text.append("\n  MISSING SIZE:\t\t").append(counts.missingBytes).append(" B");
      }
      if (counts.corruptBlocks > 0) {
        text.append("\n  CORRUPT BLOCKS: \t").append(counts.corruptBlocks);
        text.append("\n  CORRUPT SIZE:\t\t").append(counts.corruptBytes).append(" B");
      }
    }
    text.append(STARS);
  }

  private static void inBrackets(StringBuilder text, String label, long number, String unit) {
    if (number != 0) {
      text.append(" (").append(label).append(number).append(unit).append(')');
    }
  }

  private float average() {
    return counts.blocks == 0 ? 0 : (float) counts.replicas / counts.blocks;
  }

  /** A number of blocks, and how many of all that are. */
  private void share(StringBuilder text, String label, long number) {
    text.append(label).append(number);
    if (counts.blocks > 0) {
      percent(text, number, counts.blocks);
    }
  }

  private static void percent(StringBuilder text, long part, long whole) {
    text.append(" (").append((float) (part * 100) / whole).append(" %)");
  }

  private static void unlessNone(StringBuilder text, String label, long number) {
    if (number > 0) {
      text.append(label).append(number);
    }
  }
}
