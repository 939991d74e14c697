package io.acaciafs.namenode.fsck;

import io.acaciafs.blocks.BlockInspector;
import io.acaciafs.blocks.record.BlockReplicas;
import io.acaciafs.blocks.record.BlockReplicas.State;
import io.acaciafs.kv.value.Saturated;
import java.io.PrintWriter;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks one file after the other, counts, says what is wrong with them, and does about it what was
 * asked for. Used by one thread.
 *
 * <p>Source of the rules and texts: HDFS 3.5's NamenodeFsck.
 */
final class FileCheck {
  private static final Logger LOG = LoggerFactory.getLogger(FileCheck.class);
  private static final int FILES_A_DOT = 100;

  private final FsckOptions options;
  private final BlockInspector blocks;
  private final ClusterShape cluster;
  private final FileRepairs repairs;
  private final @Nullable PolicySummary policies;
  private final FsckCounts counts;
  private final PrintWriter out;
  private final ReplicaText replicas;

  /**
   * @param policies null: the request does not ask for them
   */
  FileCheck(
      FsckOptions options,
      BlockInspector blocks,
      ClusterShape cluster,
      FileRepairs repairs,
      @Nullable PolicySummary policies,
      FsckCounts counts,
      PrintWriter out) {
    this.options = options;
    this.blocks = blocks;
    this.cluster = cluster;
    this.repairs = repairs;
    this.policies = policies;
    this.counts = counts;
    this.out = out;
    this.replicas = new ReplicaText(options);
  }

  void check(String path, HdfsLocatedFileStatus file) {
    LocatedBlocks located = file.getLocatedBlocks();
    if (located.isUnderConstruction() && !options.has(FsckOptions.Flag.OPEN_FILES)) {
      counts.openFiles++;
      counts.openSizeBytes = Saturated.add(counts.openSizeBytes, file.getLen());
      counts.openBlocks += located.locatedBlockCount();
      return;
    }
    counts.files++;
    counts.sizeBytes = Saturated.add(counts.sizeBytes, file.getLen());
    counts.blocks += located.locatedBlockCount();
    begin(path, file, located);
    FileFindings findings = new FileFindings();
    LocatedBlock last = located.getLastLocatedBlock();
    boolean isLastOpen = last != null && !located.isLastBlockComplete();
    for (LocatedBlock block : located.getLocatedBlocks()) {
      if (!isLastOpen || !last.getBlock().equals(block.getBlock())) {
        check(path, file, block, findings);
      }
    }
    if (isLastOpen) {
      reportOpen(last.getBlock(), findings);
    }
    if (findings.isDamaged()) {
      repair(path, file, located, findings);
    }
    end(path, findings);
  }

  private void begin(String path, HdfsLocatedFileStatus file, LocatedBlocks located) {
    boolean isOpen = options.has(FsckOptions.Flag.OPEN_FILES) && located.isUnderConstruction();
    if (isOpen || options.has(FsckOptions.Flag.FILES)) {
      out.print(
          path
              + " "
              + file.getLen()
              + " bytes, replicated: replication="
              + file.getReplication()
              + ", "
              + located.locatedBlockCount()
              + (isOpen ? " block(s), OPENFORWRITE: " : " block(s): "));
    } else if (counts.files % FILES_A_DOT == 0) {
      out.print('.');
    }
  }

  private void check(
      String path, HdfsLocatedFileStatus file, LocatedBlock located, FileFindings findings) {
    ExtendedBlock block = located.getBlock();
    BlockReplicas found = blocks.inspect(block.getBlockId());
    if (found == null) {
      found = new BlockReplicas(file.getFileId(), file.getReplication(), true, List.of());
    }
    int wanted = file.getReplication();
    int total = count(found);
    boolean isMissing = total == 0;
    counts.expectedReplicas += wanted;
    if (total < blocks.minReplication()) {
      counts.underMinReplicated++;
    } else {
      counts.minimallyReplicated++;
    }
    if (found.count(State.LIVE) > wanted) {
      counts.overReplicated++;
    }
    if (located.isCorrupt()) {
      counts.corruptBlocks++;
      counts.corruptBytes = Saturated.add(counts.corruptBytes, block.getNumBytes());
      findings.corrupt++;
      findings.corruptBytes = Saturated.add(findings.corruptBytes, block.getNumBytes());
      out.print(
          "\n"
              + path
              + ": CORRUPT blockpool "
              + block.getBlockPoolId()
              + " block "
              + block.getBlockName()
              + "\n");
    }
    if (total < wanted && !isMissing) {
      counts.missingReplicas += wanted - total;
      counts.underReplicated++;
      findings.underReplicated++;
      sayUnderReplicated(path, block, wanted, found);
    }
    checkPlacement(path, located, wanted, findings);
    if (policies != null && located.getStorageTypes() != null) {
      policies.add(located.getStorageTypes(), file.getStoragePolicy());
    }
    report(block, found, isMissing && !located.isCorrupt(), findings);
  }

  /** Adds the replicas to the counts; those count that can be read, now or after maintenance. */
  private int count(BlockReplicas found) {
    int decommissioned = found.count(State.DECOMMISSIONED);
    int decommissioning = found.count(State.DECOMMISSIONING);
    int entering = found.count(State.ENTERING_MAINTENANCE);
    int in = found.count(State.IN_MAINTENANCE);
    counts.decommissioned += decommissioned;
    counts.decommissioning += decommissioning;
    counts.enteringMaintenance += entering;
    counts.inMaintenance += in;
    int total = found.count(State.LIVE) + decommissioned + decommissioning + entering + in;
    counts.replicas += total;
    return total;
  }

  private void sayUnderReplicated(
      String path, ExtendedBlock block, int wanted, BlockReplicas found) {
    if (!options.has(FsckOptions.Flag.FILES)) {
      out.print("\n" + path + ": ");
    }
    out.println(
        " Under replicated "
            + block
            + ". Target Replicas is "
            + wanted
            + " but found "
            + found.count(State.LIVE)
            + " live replica(s), "
            + found.count(State.DECOMMISSIONED)
            + " decommissioned replica(s), "
            + found.count(State.DECOMMISSIONING)
            + " decommissioning replica(s)"
            + (options.has(FsckOptions.Flag.MAINTENANCE)
                ? found.count(State.ENTERING_MAINTENANCE)
                    + ", entering maintenance replica(s) and "
                    + found.count(State.IN_MAINTENANCE)
                    + " in maintenance replica(s)."
                : "."));
  }

  private void checkPlacement(
      String path, LocatedBlock located, int wanted, FileFindings findings) {
    BlockPlacementStatus status = blocks.placement(located.getLocations(), wanted, cluster.racks());
    if (status.isPlacementPolicySatisfied()) {
      return;
    }
    counts.misReplicated++;
    findings.misReplicated.add(located.getBlock().getBlockId());
    if (!options.has(FsckOptions.Flag.FILES)) {
      if (findings.underReplicated == 0) {
        out.println();
      }
      out.print(path + ": ");
    }
    out.println(
        " Replica placement policy is violated for "
            + located.getBlock()
            + ". "
            + status.getErrorDescription());
  }

  private void report(
      ExtendedBlock block, BlockReplicas found, boolean isMissing, FileFindings findings) {
    findings
        .report
        .append(findings.number++)
        .append(". ")
        .append(block)
        .append(" len=")
        .append(block.getNumBytes());
    if (isMissing) {
      findings.report.append(" MISSING!");
      findings.missing++;
      findings.missingBytes = Saturated.add(findings.missingBytes, block.getNumBytes());
      counts.missingBlocks++;
      counts.missingBytes = Saturated.add(counts.missingBytes, block.getNumBytes());
    } else {
      findings
          .report
          .append(" Live_repl=")
          .append(found.count(State.LIVE))
          .append(replicas.of(found));
    }
    findings.report.append('\n');
  }

  private void reportOpen(ExtendedBlock block, FileFindings findings) {
    BlockReplicas found = blocks.inspect(block.getBlockId());
    if (found == null || found.isCommitted()) {
      return; // it has got its length since
    }
    findings
        .report
        .append("\nUnder Construction Block:\n")
        .append(findings.number)
        .append(". ")
        .append(block)
        .append(" len=")
        .append(block.getNumBytes())
        .append(" Expected_repl=")
        .append(found.replicas().size())
        .append(replicas.of(found));
  }

  private void repair(
      String path, HdfsLocatedFileStatus file, LocatedBlocks located, FileFindings findings) {
    if (!options.has(FsckOptions.Flag.FILES)) {
      out.print(findings.damage("\n" + path + ":", "."));
    }
    counts.corruptFiles++;
    if (located.isUnderConstruction()) {
      LOG.info("Fsck ignores an open file path={}", path);
    } else {
      repairs.damaged(path, file, located);
    }
  }

  private void end(String path, FileFindings findings) {
    if (options.has(FsckOptions.Flag.FILES)) {
      out.print(findings.isFine() ? " OK\n" : findings.damage("", "\n"));
      if (options.has(FsckOptions.Flag.BLOCKS)) {
        out.print(findings.report + "\n");
      }
    }
    counts.queued += repairs.misReplicated(path, findings.misReplicated);
  }
}
