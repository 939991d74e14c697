package io.acaciafs.blocks.testkit;

import io.acaciafs.blocks.check.BlocksCheck;
import io.acaciafs.blocks.check.FilesOfStore;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.check.CheckListener;
import io.acaciafs.kv.check.CheckRun;
import io.acaciafs.kv.check.Finding;
import io.acaciafs.kv.check.Pace;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;

/** What one check of the rows of blocks told. Every block is in its file, but for some. */
public final class CheckedBlocks implements CheckListener, FilesOfStore {
  public static final long SAVED_IN = 4711;

  private final List<Long> inNoFile;
  private final List<Finding> findings = new ArrayList<>();
  private final List<Outcome> outcomes = new ArrayList<>();

  private CheckedBlocks(List<Long> inNoFile) {
    this.inNoFile = inNoFile;
  }

  public static CheckedBlocks of(Store store, boolean repairs, Long... inNoFile) {
    return of(store, Pace.WITHOUT_REST, repairs, inNoFile);
  }

  public static CheckedBlocks of(Store store, Pace pace, boolean repairs, Long... inNoFile) {
    CheckedBlocks checked = new CheckedBlocks(List.of(inNoFile));
    CheckRun run = new CheckRun(store, pace, 1, repairs, checked);
    try {
      new BlocksCheck(run, checked).run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
    return checked;
  }

  /** All but index rows that were left behind. */
  public List<String> damage() {
    return findings.stream()
        .filter(finding -> !finding.isStale())
        .map(finding -> finding.kind() + ' ' + finding.subject() + ": " + finding.text())
        .toList();
  }

  public List<String> kinds() {
    return findings.stream().map(Finding::kind).toList();
  }

  public List<Outcome> outcomes() {
    return outcomes;
  }

  @Override
  public void found(Finding finding, Outcome outcome) {
    findings.add(finding);
    outcomes.add(outcome);
  }

  @Override
  public void notChecked(String what) {}

  @Override
  public void progress(String step, long rows, long expected) {}

  @Override
  public boolean lists(Reader reader, long fileId, long blockId) {
    return fileId == SAVED_IN || !inNoFile.contains(blockId);
  }

  @Override
  public List<Key> reads(long fileId) {
    return List.of();
  }

  @Override
  public boolean areCertain() {
    return true;
  }

  @Override
  public long save(Transaction transaction, Block block, short replication) {
    return SAVED_IN;
  }
}
