package io.acaciafs.namenode.fsck;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The figures, in the lines in which Hadoop's NameNode prints them. */
class FsckSummaryTest {

  @Test
  void leavesOutWhatIsNotThere() {
    assertThat(new FsckSummary(new FsckCounts(), 3, 1).text())
        .isEqualTo(
            " Total size:\t0 B\n Total files:\t0\n Total blocks (validated):\t0"
                + "\n Minimally replicated blocks:\t0\n Over-replicated blocks:\t0"
                + "\n Under-replicated blocks:\t0\n Mis-replicated blocks:\t\t0"
                + "\n Default replication factor:\t3\n Average block replication:\t0.0"
                + "\n Missing blocks:\t\t0\n Corrupt blocks:\t\t0\n Missing replicas:\t\t0"
                + "\n Blocks queued for replication:\t0");
  }

  @Test
  void tellsDamageAndShares() {
    FsckCounts counts = new FsckCounts();
    counts.files = 2;
    counts.sizeBytes = 4000;
    counts.blocks = 4;
    counts.openFiles = 1;
    counts.openSizeBytes = 7;
    counts.openBlocks = 1;
    counts.missingBlocks = 1;
    counts.missingBytes = 1000;
    counts.corruptFiles = 1;
    counts.underMinReplicated = 1;
    counts.minimallyReplicated = 3;
    counts.underReplicated = 1;
    counts.replicas = 8;
    counts.expectedReplicas = 12;
    counts.missingReplicas = 1;
    counts.decommissioning = 1;
    assertThat(new FsckSummary(counts, 3, 1).text())
        .isEqualTo(
            " Total size:\t4000 B (Total open files size: 7 B)"
                + "\n Total files:\t2 (Files currently being written: 1)"
                + "\n Total blocks (validated):\t4 (avg. block size 1000 B)"
                + " (Total open file blocks (not validated): 1)"
                + "\n  ********************************"
                + "\n  UNDER MIN REPL'D BLOCKS:\t1 (25.0 %)"
                + "\n  MINIMAL BLOCK REPLICATION:\t1"
                + "\n  CORRUPT FILES:\t1\n  MISSING BLOCKS:\t1\n  MISSING SIZE:\t\t1000 B"
                + "\n  ********************************"
                + "\n Minimally replicated blocks:\t3 (75.0 %)"
                + "\n Over-replicated blocks:\t0 (0.0 %)"
                + "\n Under-replicated blocks:\t1 (25.0 %)"
                + "\n Mis-replicated blocks:\t\t0 (0.0 %)"
                + "\n Default replication factor:\t3\n Average block replication:\t2.0"
                + "\n Missing blocks:\t\t1\n Corrupt blocks:\t\t0"
                + "\n Missing replicas:\t\t1 (8.333333 %)"
                + "\n DecommissioningReplicas:\t1\n Blocks queued for replication:\t0");
  }
}
