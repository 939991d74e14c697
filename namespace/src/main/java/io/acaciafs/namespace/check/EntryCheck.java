package io.acaciafs.namespace.check;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.check.CheckRun;
import io.acaciafs.kv.check.Finding;
import io.acaciafs.kv.check.RowCheck;
import io.acaciafs.namespace.record.DirectoryCounters;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the table of entries, bucket after bucket: whether the directory is in the tree, whether
 * as many entries are there as are counted, and at each entry and answer by itself.
 */
final class EntryCheck implements RowCheck {
  /** A key has a locator, a bucket, and what kind of row it is. */
  private static final int SHORTEST_KEY = Locator.LENGTH + Short.BYTES + 1;

  private static final int MOST_HOMELESS = 100_000;

  /** Only marks a suspicion to check. */
  private static final Finding NO_HOME = Finding.damage("no-home", "", "", null);

  private final CheckRun run;
  private final Rows rows;
  private final BlocksOfStore blocks;
  private final Ancestors ancestors;
  private final DirectoryQuestions directories;
  private final HighestIds highest;
  private final List<Key> homeless = new ArrayList<>();
  private final Set<Long> misplaced = new HashSet<>();
  private @Nullable Locator directory;
  private int bucket;
  private @Nullable DirectoryInode home;
  private long counted;
  private long found;

  EntryCheck(
      CheckRun run,
      Rows rows,
      BlocksOfStore blocks,
      Ancestors ancestors,
      DirectoryQuestions directories,
      HighestIds highest) {
    this.run = run;
    this.rows = rows;
    this.blocks = blocks;
    this.ancestors = ancestors;
    this.directories = directories;
    this.highest = highest;
  }

  @Override
  public List<Key> reads(Row row) {
    List<Key> keys = new ArrayList<>();
    if (row.key().bytes().length >= SHORTEST_KEY && NamespaceKeys.isEntry(row.key())) {
      Inode inode = rows.decode(run.store(), row.value());
      if (inode != null) {
        keys.add(NamespaceKeys.inode(inode.id()));
      }
      if (inode instanceof FileInode file) {
        file.blocks().forEach(block -> keys.add(blocks.key(block.id())));
      } else if (inode instanceof DirectoryInode found) {
        keys.add(NamespaceKeys.header(found.locator()));
      }
    }
    return keys;
  }

  @Override
  public void check(Reader reader, Row row) throws InterruptedException {
    Key key = row.key();
    if (key.bytes().length < SHORTEST_KEY) {
      run.suspect((later, findings) -> malformed(later, key, findings));
      return;
    }
    if (key.equals(Rows.ROOT)) {
      checkEntry(reader, row, null);
      return;
    }
    Locator of = NamespaceKeys.directoryOf(key);
    if (!of.equals(directory) || NamespaceKeys.bucketOf(key) != bucket) {
      endBucket();
      beginBucket(reader, row, of);
    }
    if (NamespaceKeys.isEntry(key)) {
      found++;
      checkEntry(reader, row, home);
    } else if (NamespaceKeys.isRetry(key)) {
      run.ask(reader, row, new AnswerQuestion(key));
    } else if (!NamespaceKeys.isHeader(key)) {
      DirectoryCounters counters = Rows.decoded(() -> DirectoryCounters.decode(row.value()));
      counted = counters == null ? -1 : counters.entries();
    }
  }

  private static void malformed(Reader reader, Key key, Consumer<Finding> findings) {
    if (reader.get(key) != null) {
      findings.accept(
          Finding.damage("unknown-row", "key=" + key, "A row with a key that is no key.", null));
    }
  }

  private void beginBucket(Reader reader, Row row, Locator of) throws InterruptedException {
    directory = of;
    bucket = NamespaceKeys.bucketOf(row.key());
    counted = 0;
    found = 0;
    highest.inode(of.directoryId());
    if (run.asksTogether()) {
      askForHome(reader, row, of);
      return;
    }
    home = rows.directory(reader, of);
    if (home == null) {
      noteHomeless(row.key());
    } else if (!ancestors.isWithoutLoop(reader, of.directoryId())) {
      run.suspect(directories.loop(of.directoryId()));
    }
  }

  private void askForHome(Reader reader, Row row, Locator of) throws InterruptedException {
    run.ask(
        reader,
        row,
        (asked, findings) -> {
          if (rows.directory(asked, of) == null) {
            findings.accept(NO_HOME);
          }
        },
        () -> noteHomeless(row.key()));
    run.ask(
        reader,
        row,
        (asked, findings) -> {
          if (rows.directory(asked, of) != null
              && !ancestors.isWithoutLoop(asked, of.directoryId())) {
            findings.accept(NO_HOME);
          }
        },
        () -> run.suspect(directories.loop(of.directoryId())));
  }

  private void noteHomeless(Key key) {
    if (!NamespaceKeys.isRetry(key) && homeless.size() <= MOST_HOMELESS) {
      homeless.add(key);
    }
  }

  private void endBucket() {
    if (directory != null && counted != found) {
      run.suspect(directories.count(directory, bucket));
    }
  }

  private void checkEntry(Reader reader, Row row, @Nullable DirectoryInode knownHome)
      throws InterruptedException {
    Inode inode = rows.decode(reader, row.value());
    if (inode != null) {
      highest.inode(inode.id());
      if (inode instanceof FileInode file) {
        for (FileBlock block : file.blocks()) {
          highest.block(block.id());
        }
      }
    }
    EntryQuestion question = new EntryQuestion(rows, blocks, ancestors, row.key());
    if (run.asksTogether()) {
      run.ask(reader, row, question, () -> suspect(question, inode));
      return;
    }
    boolean[] isSuspicious = {false};
    question.ask(reader, inode, knownHome, finding -> isSuspicious[0] = true);
    if (isSuspicious[0]) {
      suspect(question, inode);
    }
  }

  private void suspect(EntryQuestion question, @Nullable Inode inode) {
    run.suspect(question);
    if (inode instanceof DirectoryInode && misplaced.size() < MOST_HOMELESS) {
      misplaced.add(inode.id());
    }
  }

  /** Only now it is known of which directories there is an entry, and only nobody finds it. */
  @Override
  public void end() throws InterruptedException {
    endBucket();
    run.settle();
    for (Key seen : homeless) {
      if (!misplaced.contains(NamespaceKeys.directoryOf(seen).directoryId())) {
        run.suspect(directories.home(seen));
      }
    }
    if (homeless.size() > MOST_HOMELESS) {
      run.listener().notChecked("Further directories that are in none: there are too many");
    }
  }
}
