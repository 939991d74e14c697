package io.acaciafs.namespace.run;

import static io.acaciafs.namespace.testkit.NamespaceFixture.CAROL;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.WouldBlockException;
import io.acaciafs.kv.memory.Fault;
import io.acaciafs.kv.memory.Faults;
import io.acaciafs.namespace.context.Root;
import io.acaciafs.namespace.op.attribute.SetPermission;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.op.directory.GetFileInfo;
import io.acaciafs.namespace.op.directory.GetListing;
import io.acaciafs.namespace.op.directory.Rename;
import io.acaciafs.namespace.op.directory.Rename2;
import io.acaciafs.namespace.op.file.CreateFile;
import io.acaciafs.namespace.testkit.CountedReads;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import io.acaciafs.namespace.testkit.TestCompany;
import io.acaciafs.namespace.tree.InodeStatus;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two processes on one store rest on the directories that they know. */
class SharedDirectoriesTest {
  private final Faults faults = Faults.onDemand();
  private final CountedReads reads = new CountedReads();
  private final TestCompany company = new TestCompany(2);
  private final NamespaceFixture fs =
      new NamespaceFixture(
          reads.of(NamespaceFixture.sharedStore(faults)),
          NamespaceFixture.settings(100, 0),
          new ManualClock(),
          2,
          company);

  @BeforeEach
  void makeTree() throws IOException {
    fs.file("/a/b/c/file");
    for (int i = 0; i < 4; i++) {
      assertThat(look(i % 2, "/a/b/c/file")).isNotNull();
      assertThat(look(i % 2, "/a/b/c")).isNotNull();
      look(i % 2, "/a/b/c/file/below"); // c is known as a directory
      fs.run(i % 2, SUPERUSER, new GetListing("/a/b/c", new byte[0], false));
    }
    taken();
  }

  @AfterEach
  void close() {
    fs.close();
  }

  private InodeStatus look(int process, String path) throws IOException {
    return fs.run(process, SUPERUSER, new GetFileInfo(path));
  }

  private String taken() {
    return reads.taken() + " reads, " + reads.assumedSince() + " guards";
  }

  private void chmod(int process, String path, int mode) throws IOException {
    fs.run(process, SUPERUSER, new SetPermission(path, new FsPermission((short) mode)));
  }

  @Test
  void whoReadsGuardsNoKnownDirectory() throws IOException {
    assertThat(look(0, "/a/b/c/file")).isNotNull();
    assertThat(taken()).isEqualTo("1 reads, 0 guards");
    assertThat(look(1, "/a/b/c/other")).isNull();
    assertThat(taken()).isEqualTo("1 reads, 0 guards");
  }

  @Test
  void whoWritesGuardsNoKnownDirectory() throws IOException {
    fs.run(0, SUPERUSER, NamespaceFixture.create("/a/b/c/warm", 0644, "c", CreateFlag.CREATE));
    taken();
    fs.run(0, SUPERUSER, NamespaceFixture.create("/a/b/c/new", 0644, "c", CreateFlag.CREATE));
    assertThat(taken()).isEqualTo("1 reads, 0 guards");
    chmod(0, "/a/b/c/new", 0600);
    assertThat(taken()).isEqualTo("1 reads, 0 guards");
    assertThat(fs.run(0, SUPERUSER, new Rename("/a/b/c/new", "/a/b/c/old"))).isTrue();
    assertThat(taken()).isEqualTo("2 reads, 0 guards");
    assertThat(fs.run(0, SUPERUSER, new Delete("/a/b/c/old", false))).isTrue();
    assertThat(taken()).isEqualTo("1 reads, 0 guards");
  }

  /** The first ones in a directory that has changed would all be transactions over regions. */
  @Test
  void whoHasToReadADirectoryFirstDoesNotGuardItEither() throws IOException {
    chmod(0, "/", 0711);
    List<String> attempts = new ArrayList<>();
    fs.run(
        1,
        SUPERUSER,
        tree -> {
          attempts.add("create");
          CreateFile create = NamespaceFixture.create("/a/b/c/new", 0644, "c", CreateFlag.CREATE);
          InodeStatus created = create.run(tree);
          if (attempts.size() == 1) {
            rewrite(Root.KEY);
          }
          return created;
        });
    assertThat(attempts).containsExactly("create");
    assertThat(look(0, "/a/b/c/new")).isNotNull();
  }

  /** Entries of before, judged by directories as they are now, may never have been like that. */
  @Test
  void directoriesAreReadBeforeWhatIsReadAheadInThem() throws IOException {
    CountedReads farReads = CountedReads.overNetwork();
    try (NamespaceFixture far = twoOn(farReads)) {
      far.file("/a/file");
      far.file("/a/other");
      far.run(1, SUPERUSER, new GetFileInfo("/a/file"));
      far.run(0, SUPERUSER, new SetPermission("/", new FsPermission((short) 0711)));
      farReads.calls();
      far.run(
          1, SUPERUSER, new Rename2("/a/file", "/a/other", EnumSet.of(Options.Rename.OVERWRITE)));
      assertThat(farReads.calls())
          .containsSubsequence("getVersioned", "prefetch")
          .doesNotContainSubsequence("prefetch", "getVersioned");
    }
  }

  private NamespaceFixture twoOn(CountedReads store) {
    return new NamespaceFixture(
        store.of(NamespaceFixture.sharedStore(faults)),
        NamespaceFixture.settings(100, 0),
        new ManualClock(),
        2,
        new TestCompany(2));
  }

  /** A run that comes later would take a later moment for what an earlier one has asked for. */
  @Test
  void whoDoesNotWaitReadsNoDirectories() throws IOException {
    CountedReads farReads = CountedReads.overNetwork();
    try (NamespaceFixture far = twoOn(farReads)) {
      far.file("/a/file");
      GetFileInfo question = new GetFileInfo("/a/file");
      far.run(1, SUPERUSER, question);
      assertThat(
              far.namespace(1)
                  .readTrackedNonBlocking(SUPERUSER, question, Tracked::value, Runnable::run)
                  .join())
          .isNotNull();
      far.run(0, SUPERUSER, new SetPermission("/", new FsPermission((short) 0711)));
      farReads.calls();
      assertThatThrownBy(
              far.namespace(1)
                      .readTrackedNonBlocking(SUPERUSER, question, Tracked::value, Runnable::run)
                  ::join)
          .hasCauseInstanceOf(WouldBlockException.class);
      assertThat(farReads.calls()).doesNotContain("getVersioned", "get");
    }
  }

  /** Whoever guards it meets a conflict; for others nothing has changed. */
  private void rewrite(Key key) {
    Transaction transaction = fs.store().begin();
    transaction.put(key, transaction.get(key));
    transaction.commit().join();
  }

  @Test
  void whatComesAndGoesInADirectoryIsNotAnnounced() throws IOException {
    long before = company.announced();
    fs.file("/a/b/c/other");
    fs.mkdir("/a/b/d/e");
    chmod(0, "/a/b/c/file", 0600);
    fs.run(0, SUPERUSER, new Rename("/a/b/c/file", "/a/b/d/file"));
    fs.run(1, SUPERUSER, new Delete("/a/b/d/file", false));
    assertThat(company.announced()).isEqualTo(before);
    fs.run(1, SUPERUSER, new Delete("/a/b/d", true));
    assertThat(company.announced()).isEqualTo(before + 1);
  }

  @Test
  void whatOneChangesTheOtherKnowsAtOnce() throws IOException {
    for (int i = 0; i < 10; i++) {
      chmod(0, "/a/b", 0700);
      assertThatThrownBy(() -> fs.run(1, CAROL, new GetFileInfo("/a/b/c/file")))
          .isInstanceOf(AccessControlException.class);
      chmod(1, "/a/b", 0755);
      assertThat(fs.run(0, CAROL, new GetFileInfo("/a/b/c/file"))).isNotNull();
      assertThat(fs.run(0, SUPERUSER, new Rename("/a/b", "/a/z"))).isTrue();
      assertThat(look(1, "/a/b/c/file")).isNull();
      assertThat(look(1, "/a/z/c/file")).isNotNull();
      assertThat(fs.run(1, SUPERUSER, new Rename("/a/z", "/a/b"))).isTrue();
      assertThat(look(0, "/a/b/c/file")).isNotNull();
      assertThat(look(0, "/a/z/c/file")).isNull();
    }
    look(0, "/a/b/c/file");
    taken();
    look(0, "/a/b/c/file");
    assertThat(taken()).as("it is trusted again").isEqualTo("1 reads, 0 guards");
  }

  @Test
  void whoIsCutOffAsksTheStore() throws IOException {
    company.cutOff(0);
    assertThat(fs.run(1, SUPERUSER, new Rename("/a/b", "/a/z"))).isTrue();
    assertThat(look(0, "/a/b/c/file")).isNull();
    assertThat(look(0, "/a/z/c/file")).isNotNull();
    chmod(1, "/a", 0700);
    assertThatThrownBy(() -> fs.run(0, CAROL, new GetFileInfo("/a/z/c/file")))
        .isInstanceOf(AccessControlException.class);
  }

  /** The directory changes between what an operation reads and its end. */
  @Test
  void whatChangesBehindAnOperationsBackIsSeenAtItsEnd() throws IOException {
    boolean[] isDone = {false};
    InodeStatus found =
        fs.run(
            0,
            SUPERUSER,
            new ReadOperation<InodeStatus>() {
              @Override
              public InodeStatus run(Tree tree) throws IOException {
                InodeStatus status = new GetFileInfo("/a/b/c/file").run(tree);
                if (!isDone[0]) {
                  isDone[0] = true;
                  fs.run(1, SUPERUSER, new Rename("/a/b", "/a/z"));
                }
                return status;
              }
            });
    assertThat(found).isNull();
  }

  @Test
  void whoDoesNotWaitGoesOnWhenHisRowHasCome() {
    CompletableFuture<Void> arrival = new CompletableFuture<>();
    var found = lookWithoutWaiting(arrival);
    arrival.complete(null);
    assertThat(found.join()).isNotNull();
  }

  /** What was asked for is of the directories as they were then, though they are so again. */
  @Test
  void whoDoesNotWaitRestsOnWhatHeRestedOnWhenHeAsked() throws IOException {
    CompletableFuture<Void> arrival = new CompletableFuture<>();
    var found = lookWithoutWaiting(arrival);
    fs.run(1, SUPERUSER, new Rename("/a/b", "/a/z"));
    fs.run(1, SUPERUSER, new Rename("/a/z", "/a/b"));
    look(0, "/a/b/c/file");
    arrival.complete(null);
    assertThatThrownBy(found::join).hasCauseInstanceOf(WouldBlockException.class);
  }

  private CompletableFuture<InodeStatus> lookWithoutWaiting(CompletableFuture<Void> arrival) {
    return fs.namespace(0)
        .readTrackedNonBlocking(
            SUPERUSER,
            new ReadOperation<InodeStatus>() {
              @Override
              public InodeStatus run(Tree tree) throws IOException {
                InodeStatus status = new GetFileInfo("/a/b/c/file").run(tree);
                if (!arrival.isDone()) {
                  throw new WouldBlockException(arrival);
                }
                return status;
              }
            },
            Tracked::value,
            Runnable::run);
  }

  @Test
  void whoIsTakenForDeadChangesNoDirectory() throws IOException {
    company.excludeAll();
    assertThatThrownBy(() -> fs.run(0, SUPERUSER, new Rename("/a/b", "/a/z")))
        .isInstanceOf(ConflictException.class);
    assertThat(look(1, "/a/b/c/file")).isNotNull();
    assertThat(fs.run(0, SUPERUSER, new Rename("/a/b/c/file", "/a/b/c/moved"))).isTrue();
  }

  @Test
  void whatMayStillComeToBeIsNotTrusted() throws IOException {
    faults.plan(Fault.LOST_REPLY);
    assertThatThrownBy(() -> fs.run(0, SUPERUSER, new Rename("/a/b", "/a/z")))
        .isInstanceOf(StoreException.class);
    for (int i = 0; i < 4; i++) {
      assertThat(look(i % 2, "/a/z/c/file")).isNotNull();
      assertThat(look(i % 2, "/a/b/c/file")).isNull();
    }
    taken();
    look(1, "/a/z/c/file");
    assertThat(taken()).as("the store is asked").isEqualTo("1 reads, 4 guards");
  }
}
