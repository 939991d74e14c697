package io.acaciafs.namespace.check;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.check.CheckRun;
import io.acaciafs.kv.check.Question;
import io.acaciafs.kv.check.RowCheck;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.IdKind;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.settings.StoragePolicies;
import java.time.Clock;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Checks all tables of the namespace. For one thread, once. */
public final class NamespaceCheck {
  /** All that it walks over. */
  public static final List<Table> TABLES =
      List.of(
          NamespaceKeys.DICTIONARY,
          NamespaceKeys.JOBS,
          NamespaceKeys.ENTRIES,
          NamespaceKeys.INODES,
          NamespaceKeys.OPEN_FILES,
          NamespaceKeys.QUOTAS);

  private final CheckRun run;
  private final BlocksOfStore blocks;
  private final StoragePolicies policies;
  private final Rows rows = new Rows();
  private final SweptDirectories swept = new SweptDirectories();
  private final Ancestors ancestors = new Ancestors(rows);
  private final HighestIds highest = new HighestIds();
  private final LostAndFound lostAndFound;

  /**
   * @param clock for the times of what is put into {@code /lost+found}
   */
  public NamespaceCheck(CheckRun run, BlocksOfStore blocks, StoragePolicies policies, Clock clock) {
    this.run = run;
    this.blocks = blocks;
    this.policies = policies;
    this.lostAndFound = new LostAndFound(rows, clock);
  }

  /** Looks at everything; what is in quotas last, after what may be repaired in directories. */
  public void run() throws InterruptedException {
    swept.load(run.store());
    if (!swept.areAll()) {
      run.listener().notChecked("Whether directories are in the tree: too many are being removed");
    }
    run.beforeConfirming(() -> swept.load(run.store()));
    DirectoryQuestions directories =
        new DirectoryQuestions(run, rows, ancestors, swept, lostAndFound);
    IndexQuestions indexes = new IndexQuestions(rows, ancestors, swept);
    run.walk("dictionary", KeyRange.ofTable(NamespaceKeys.DICTIONARY), new DictionaryCheck(run));
    run.walk("jobs", NamespaceKeys.sweepJobs(new byte[0]), each(this::noteJob, indexes::sweepJob));
    run.walk("jobs", NamespaceKeys.splitJobs(), each(key -> {}, indexes::splitJob));
    run.walk(
        "entries",
        KeyRange.ofTable(NamespaceKeys.ENTRIES),
        new EntryCheck(run, rows, blocks, ancestors, directories, highest));
    run.walk(
        "inodes",
        KeyRange.ofTable(NamespaceKeys.INODES),
        each(key -> highest.inode(NamespaceKeys.idOf(key)), indexes::location));
    run.walk(
        "open_files",
        KeyRange.ofTable(NamespaceKeys.OPEN_FILES),
        each(key -> {}, indexes::openFile));
    run.walk(
        "quotas",
        KeyRange.ofTable(NamespaceKeys.QUOTAS),
        each(key -> {}, key -> new QuotaQuestion(run, rows, policies, key)));
    for (IdKind kind : IdKind.values()) {
      run.ask(run.store(), highest.question(kind));
    }
    run.settle();
  }

  private void noteJob(Key key) {
    highest.job(NamespaceKeys.idOf(key));
  }

  private RowCheck each(Consumer<Key> note, Function<Key, Question> question) {
    return new RowCheck() {
      @Override
      public void check(Reader reader, Row row) throws InterruptedException {
        note.accept(row.key());
        run.ask(reader, row, question.apply(row.key()));
      }
    };
  }

  /** Whether a file has a block; for the check of blocks. */
  public boolean lists(Reader reader, long fileId, long blockId) {
    return rows.lists(reader, fileId, blockId);
  }

  /** Whether there is an inode with this id. */
  public boolean exists(Reader reader, long inodeId) {
    return rows.inode(reader, inodeId) != null;
  }

  /**
   * Puts a block that is in no file into one of its own in {@code /lost+found}.
   *
   * @return the inode id of the file
   */
  public long save(Transaction transaction, FileBlock block, short replication) {
    return lostAndFound.addFile(transaction, block, replication);
  }
}
