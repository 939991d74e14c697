package io.acaciafs.namenode.check;

import io.acaciafs.blocks.check.BlocksCheck;
import io.acaciafs.blocks.check.CheckedBlock;
import io.acaciafs.blocks.check.FilesOfStore;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.check.CheckRun;
import io.acaciafs.kv.check.Pace;
import io.acaciafs.namespace.check.BlocksOfStore;
import io.acaciafs.namespace.check.NamespaceCheck;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.settings.StoragePolicies;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.hdfs.protocol.Block;
import org.jspecify.annotations.Nullable;

/** Checks a store, files first and blocks then. For one thread. */
public final class StoreCheck {
  /** A commit takes effect as a whole, and at once. */
  private static final long LOCAL_SETTLE_MS = 500;

  /** Index rows are written by themselves, and a commit may wait for a lost server for 30 s. */
  private static final long REMOTE_SETTLE_MS = 60_000;

  private final CheckReport report;
  private final CheckRun run;
  private final NamespaceCheck namespace;

  private StoreCheck(
      Store store,
      StoragePolicies policies,
      CheckOptions options,
      CheckReport report,
      Clock clock) {
    this.report = report;
    long ofEngineMs = store.traits().localReads() ? LOCAL_SETTLE_MS : REMOTE_SETTLE_MS;
    long settleMs = options.settleMs() < 0 ? ofEngineMs : options.settleMs();
    run = new CheckRun(store, Pace.of(options.workPercent()), settleMs, options.repairs(), report);
    namespace = new NamespaceCheck(run, new Blocks(), policies, clock);
  }

  /**
   * Checks, and reports all the time and in the end.
   *
   * @throws io.acaciafs.kv.StoreException when the store cannot be read
   */
  public static void run(
      Store store, StoragePolicies policies, CheckOptions options, CheckReport report)
      throws InterruptedException {
    report.end(checkRows(store, policies, options, report));
  }

  /**
   * The same, and compares the stores of a group then.
   *
   * @param comparison {@link Comparison#NONE} for a NameNode of no group
   * @throws IOException with a sentence for people when they cannot be compared
   */
  public static void run(
      Store store,
      StoragePolicies policies,
      CheckOptions options,
      Comparison comparison,
      CheckReport report)
      throws IOException, InterruptedException {
    long rows = options.membersOnly() ? 0 : checkRows(store, policies, options, report);
    if (options.membersOnly() || comparison != Comparison.NONE) {
      report.expect(-1);
      report.compared(comparison.run(Pace.of(options.workPercent()), report));
    }
    report.end(rows);
  }

  private static long checkRows(
      Store store, StoragePolicies policies, CheckOptions options, CheckReport report)
      throws InterruptedException {
    report.expect(estimatedRows(store));
    StoreCheck check = new StoreCheck(store, policies, options, report, Clock.systemUTC());
    check.namespace.run();
    new BlocksCheck(check.run, check.new Files()).run();
    return check.run.rows();
  }

  /** Of all tables that are checked; less than 0: nobody knows. */
  private static long estimatedRows(Store store) {
    long rows = 0;
    for (List<Table> tables : List.of(NamespaceCheck.TABLES, BlocksCheck.TABLES)) {
      for (Table table : tables) {
        OptionalLong estimate = store.estimatedRows(table);
        if (estimate.isEmpty()) {
          return -1;
        }
        rows += estimate.getAsLong();
      }
    }
    return rows;
  }

  /** What files want to know of blocks. */
  private static final class Blocks implements BlocksOfStore {
    @Override
    public @Nullable Known read(Reader reader, long blockId) {
      CheckedBlock block = CheckedBlock.read(reader, blockId);
      return block == null
          ? null
          : new Known(
              block.fileId(),
              block.replication(),
              block.isCommitted(),
              block.generationStamp(),
              block.numBytes());
    }

    @Override
    public Key key(long blockId) {
      return CheckedBlock.key(blockId);
    }

    @Override
    public void restore(
        Transaction transaction, FileInode file, FileBlock block, boolean isBeingWritten) {
      CheckedBlock.restore(
          transaction, block.toBlock(), file.id(), file.replication(), isBeingWritten);
    }

    @Override
    public void assign(Transaction transaction, FileInode file, long blockId) {
      CheckedBlock.assign(transaction, blockId, file.id(), file.replication());
    }
  }

  /** What blocks want to know of files. */
  private final class Files implements FilesOfStore {
    @Override
    public boolean lists(Reader reader, long fileId, long blockId) {
      return namespace.lists(reader, fileId, blockId);
    }

    @Override
    public List<Key> reads(long fileId) {
      return List.of(NamespaceKeys.inode(fileId));
    }

    @Override
    public boolean areCertain() {
      return report.knowsAllFiles();
    }

    @Override
    public long save(Transaction transaction, Block block, short replication) {
      return namespace.save(transaction, FileBlock.of(block), replication);
    }
  }
}
