package io.acaciafs.namespace.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.check.CheckListener;
import io.acaciafs.kv.check.CheckRun;
import io.acaciafs.kv.check.Finding;
import io.acaciafs.kv.check.Pace;
import io.acaciafs.kv.memory.Faults;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.namespace.op.directory.Rename;
import io.acaciafs.namespace.op.quota.SetQuota;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.settings.NamespaceSettings;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A directory below a quota that changes while it is counted, and uses as much as before. */
class QuotaQuestionTest {
  private static final CheckListener NOBODY =
      new CheckListener() {
        @Override
        public void found(Finding finding, Outcome outcome) {}

        @Override
        public void notChecked(String what) {}

        @Override
        public void progress(String step, long rows, long expected) {}
      };

  private NamespaceFixture fixture;
  private NamespaceSettings settings;
  private QuotaQuestion question;

  @BeforeEach
  void fill() throws IOException {
    settings = NamespaceFixture.settingsOfBuckets(1, 0);
    fixture = new NamespaceFixture(new MemoryStore(), settings, new ManualClock());
    for (String directory : List.of("/q", "/q/a", "/q/b")) {
      fixture.mkdir(directory);
    }
    fixture.fileWithBlock("/q/a/0", 100);
    fixture.fileWithBlock("/q/b/1", 100);
    fixture.fileWithBlock("/q/b/2", 100);
    fixture.run(new SetQuota("/q", 1000, HdfsConstants.QUOTA_DONT_SET, null));
    question =
        new QuotaQuestion(
            new CheckRun(fixture.store(), Pace.WITHOUT_REST, 1, false, NOBODY),
            new Rows(),
            settings.features().storagePolicies(),
            NamespaceKeys.quotaUsage(fixture.info("/q").inode().id()));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Guards rows as the confirmation does; before a directory is walked something happens. */
  private record Disturbed(Transaction tx, byte[] directory, Runnable deed) implements Reader {
    @Override
    public byte[] get(Key key) {
      return tx.get(key);
    }

    @Override
    public Scan scan(KeyRange range) {
      int mismatch = Arrays.mismatch(directory, range.from());
      if (mismatch < 0 || mismatch == directory.length) {
        deed.run();
      }
      return tx.unguarded().scan(range);
    }
  }

  @Test
  void aDifferenceOfTwoMomentsIsNoneThatHolds() throws Exception {
    assertThat(move("/q/b/1", "/q/a/1").kinds).containsExactly("wrong-quota-usage");
    Asked again = move("/q/b/2", "/q/a/2");
    assertThat(again.kinds).containsExactly("wrong-quota-usage");
    assertThatThrownBy(() -> again.tx.validate().get()).hasCauseInstanceOf(ConflictException.class);

    Asked quiet = ask(() -> {});
    assertThat(quiet.kinds).isEmpty();
    quiet.tx.validate().get();
  }

  @Test
  void aDifferenceOfOneMomentHolds() throws Exception {
    damageUsage();
    for (int i = 0; i < 3; i++) {
      Asked asked = ask(() -> {});
      assertThat(asked.kinds).containsExactly("wrong-quota-usage");
      asked.tx.validate().get();
    }
  }

  /** Notes which rows are guarded that are counters of directories, or headers. */
  private record Noted(Transaction tx, Key example, Set<Key> counters) implements Reader {
    @Override
    public byte[] get(Key key) {
      if (key.table().equals(example.table()) && key.bytes().length == example.bytes().length) {
        counters.add(key);
      }
      return tx.get(key);
    }

    @Override
    public Scan scan(KeyRange range) {
      return tx.unguarded().scan(range);
    }
  }

  @Test
  void guardsFewerRowsWhereEachIsSentOverANetwork() throws Exception {
    for (int i = 0; i < 600; i++) {
      fixture.mkdir("/q/a/" + (char) ('a' + i % 20) + i);
    }
    damageUsage();
    assertThat(guardedOf(new Store.Traits(true, false))).isGreaterThan(600);
    assertThat(guardedOf(new Store.Traits(false, true))).isBetween(500, 510);
  }

  private int guardedOf(Store.Traits traits) throws Exception {
    QuotaQuestion asked =
        new QuotaQuestion(
            new CheckRun(
                new MemoryStore(Faults.none(), traits), Pace.WITHOUT_REST, 1, false, NOBODY),
            new Rows(),
            settings.features().storagePolicies(),
            NamespaceKeys.quotaUsage(fixture.info("/q").inode().id()));
    Key counters = NamespaceKeys.counters(last().locator(), 0);
    Set<Key> guarded = new HashSet<>();
    for (int i = 0; i < 2; i++) { // the first only suspects
      guarded.clear();
      asked.ask(new Noted(fixture.store().begin(), counters, guarded), finding -> {});
    }
    return guarded.size();
  }

  private void damageUsage() throws Exception {
    Transaction damage = fixture.store().begin();
    DirectoryInode directory = (DirectoryInode) fixture.info("/q/a").inode();
    damage.delete(NamespaceKeys.entry(directory.locator(), 0, new byte[] {'0'}));
    damage.commit().get();
  }

  private record Asked(Transaction tx, List<String> kinds) {}

  /** Asks, while an entry is moved where it is not seen any more. */
  private Asked move(String from, String to) throws Exception {
    boolean[] isDone = {false};
    return ask(
        () -> {
          if (!isDone[0]) {
            isDone[0] = true;
            try {
              fixture.run(new Rename(from, to));
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          }
        });
  }

  private Asked ask(Runnable deed) throws Exception {
    DirectoryInode last = last();
    Transaction tx = fixture.store().begin();
    List<String> kinds = new ArrayList<>();
    byte[] partition = NamespaceKeys.entries(last.locator(), 0).from();
    question.ask(new Disturbed(tx, partition, deed), finding -> kinds.add(finding.kind()));
    return new Asked(tx, kinds);
  }

  private DirectoryInode last() throws IOException {
    return (DirectoryInode) fixture.info("/q/b").inode();
  }
}
