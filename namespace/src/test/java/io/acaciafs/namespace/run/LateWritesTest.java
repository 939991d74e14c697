package io.acaciafs.namespace.run;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.memory.Faults;
import io.acaciafs.namespace.background.BackgroundWork;
import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.op.attribute.SetPermission;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.op.directory.GetFileInfo;
import io.acaciafs.namespace.op.directory.Mkdirs;
import io.acaciafs.namespace.op.directory.Rename;
import io.acaciafs.namespace.op.quota.SetQuota;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import io.acaciafs.namespace.testkit.TestCompany;
import io.acaciafs.namespace.tree.InodeStatus;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What one of two processes writes rests on directories that it knows, and is on its way while the
 * other one changes them.
 */
class LateWritesTest {
  private static final String NEW = "/a/b/c/new";
  private static final String MOVED = "/a/z/c/new";

  private final TestCompany company = new TestCompany(2);
  private final NamespaceFixture fs =
      new NamespaceFixture(
          NamespaceFixture.sharedStore(Faults.none()),
          NamespaceFixture.settings(100, 0),
          new ManualClock(),
          2,
          company);

  @BeforeEach
  void makeTree() throws IOException {
    fs.file("/a/b/c/file");
    fs.mkdir("/a/d");
    for (int process = 0; process < 2; process++) {
      look(process, "/a/b/c/file/below");
      look(process, "/a/d/below");
      fs.run(process, SUPERUSER, createdBy(ALICE, "/a/b/c/warm" + process));
    }
  }

  @AfterEach
  void close() {
    fs.close();
  }

  /** Any superuser's, by another client. */
  private static NamespaceOperation<InodeStatus> createdBy(Caller caller, String path) {
    return NamespaceFixture.create(path, 0644, caller.user(), CreateFlag.CREATE);
  }

  private InodeStatus look(int process, String path) throws IOException {
    return fs.run(process, SUPERUSER, new GetFileInfo(path));
  }

  /** Of the first process, and on its way. */
  private CompletableFuture<InodeStatus> create() {
    company.late(0).holdUpNext();
    return createNow();
  }

  private CompletableFuture<InodeStatus> createNow() {
    CompletableFuture<InodeStatus> created =
        fs.namespace(0).submit(SUPERUSER, createdBy(ALICE, NEW));
    assertThat(company.late(0).isHeldUp()).isTrue();
    return created;
  }

  private <T> CompletableFuture<T> other(NamespaceOperation<T> operation) {
    return fs.namespace(1).submit(SUPERUSER, operation);
  }

  private void sweep() {
    BackgroundWork.sweep(fs.namespace(1));
  }

  private void assertNoDamage() {
    sweep();
    assertThat(fs.damage(false)).isEmpty();
  }

  @Test
  void aDirectoryIsRemovedAfterWhatIsUnderWayInIt() throws Exception {
    CompletableFuture<InodeStatus> created = create();
    CompletableFuture<Boolean> removed = other(new Delete("/a/b", true));
    assertThat(removed).isNotDone();
    assertThat(look(1, "/a/b/c")).as("reads go on meanwhile").isNotNull();
    company.late(0).deliver();
    assertThat(created.get(60, TimeUnit.SECONDS)).isNotNull();
    assertThat(removed.get(60, TimeUnit.SECONDS)).isTrue();
    assertThat(look(0, "/a/b")).isNull();
    assertNoDamage();
  }

  @Test
  void anEmptyDirectoryIsNotRemovedWhenItGetsAnEntry() throws Exception {
    fs.mkdir("/a/b/empty");
    look(0, "/a/b/empty/below");
    company.late(0).holdUpNext();
    CompletableFuture<InodeStatus> created =
        fs.namespace(0).submit(SUPERUSER, createdBy(ALICE, "/a/b/empty/new"));
    assertThat(company.late(0).isHeldUp()).isTrue();
    CompletableFuture<Boolean> removed = other(new Delete("/a/b/empty", false));
    company.late(0).deliver();
    created.get(60, TimeUnit.SECONDS);
    assertThatThrownBy(() -> removed.get(60, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(IOException.class);
    assertThat(look(1, "/a/b/empty/new")).isNotNull();
    assertNoDamage();
  }

  @Test
  void aDirectoryIsRenamedAfterWhatIsUnderWayBelowIt() throws Exception {
    CompletableFuture<InodeStatus> created = create();
    CompletableFuture<Boolean> renamed = other(new Rename("/a/b", "/a/z"));
    assertThat(renamed).isNotDone();
    assertThat(look(1, MOVED)).isNull();
    company.late(0).deliver();
    assertThat(created.get(60, TimeUnit.SECONDS)).isNotNull();
    assertThat(renamed.get(60, TimeUnit.SECONDS)).isTrue();
    assertThat(look(0, MOVED)).isNotNull();
    assertNoDamage();
  }

  /** Twice: the second change waits for what the first one found. */
  @Test
  void everyChangeWaitsForWhatIsUnderWay() throws Exception {
    CompletableFuture<InodeStatus> created = create();
    CompletableFuture<?> mode = other(new SetPermission("/a/b", new FsPermission((short) 0700)));
    CompletableFuture<?> again = other(new SetPermission("/a/b", new FsPermission((short) 0711)));
    assertThat(mode).isNotDone();
    assertThat(again).isNotDone();
    company.late(0).deliver();
    created.get(60, TimeUnit.SECONDS);
    mode.get(60, TimeUnit.SECONDS);
    again.get(60, TimeUnit.SECONDS);
    assertThatThrownBy(() -> fs.run(0, ALICE, createdBy(ALICE, "/a/b/c/denied")))
        .isInstanceOf(AccessControlException.class);
    assertNoDamage();
  }

  /** Who counts what a quota covers counts it. */
  @Test
  void aQuotaCountsWhatWasUnderWay() throws Exception {
    CompletableFuture<InodeStatus> created = create();
    CompletableFuture<?> limited = other(new SetQuota("/a/b", 100, -1, null));
    assertThat(limited).isNotDone();
    company.late(0).deliver();
    created.get(60, TimeUnit.SECONDS);
    limited.get(60, TimeUnit.SECONDS);
    assertNoDamage();
  }

  /** Its request arrives when the directory is gone, and swept. */
  @Test
  void whatArrivesAfterALeaseLeavesNoOrphan() throws Exception {
    CompletableFuture<InodeStatus> created = create();
    company.cutOff(0);
    assertThat(fs.run(1, SUPERUSER, new Delete("/a/b", true))).isTrue();
    sweep();
    company.late(0).deliver();
    assertThatThrownBy(() -> created.get(60, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(StoreException.class);
    assertNoDamage();
  }

  @Test
  void whatArrivesAfterALeaseIsInNoDirectoryThatWasRenamed() throws Exception {
    CompletableFuture<InodeStatus> created = create();
    company.cutOff(0);
    assertThat(fs.run(1, SUPERUSER, new Rename("/a/b", "/a/z"))).isTrue();
    company.late(0).deliver();
    assertThatThrownBy(() -> created.get(60, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(StoreException.class);
    assertThat(look(1, MOVED)).isNull();
    assertThat(look(1, NEW)).isNull();
    assertNoDamage();
  }

  /** Nobody knows what became of it, and it may still come: the change waits. */
  @Test
  void whatMayStillComeIsWaitedFor() throws Exception {
    company.late(0).giveUpNext();
    CompletableFuture<InodeStatus> created = createNow();
    assertThatThrownBy(() -> created.get(60, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(StoreException.class);
    CompletableFuture<Boolean> removed = other(new Delete("/a/b", true));
    assertThat(removed).isNotDone();
    company.late(0).deliver();
    assertThat(removed.get(60, TimeUnit.SECONDS)).isTrue();
    assertNoDamage();
  }

  /** And where its process ends before that, others go on when it is fenced off. */
  @Test
  void whatIsLeftOnItsWayByAProcessThatEndsIsWaitedFor() throws Exception {
    company.late(0).giveUpNext();
    company.late(0).beginToEnd();
    CompletableFuture<InodeStatus> created = createNow();
    assertThatThrownBy(() -> created.get(60, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(StoreException.class);
    assertThat(other(new Delete("/a/b", true))).isNotDone();
    company.late(0).deliver();
    assertThat(look(1, NEW)).isNotNull();
    assertNoDamage();
  }

  /** It rests on a directory that is not there any more, and is not allowed to say so. */
  @Test
  void whoIsCutOffRefusesNothingThatItOnlyRemembers() throws Exception {
    company.cutOff(0);
    assertThat(fs.run(1, SUPERUSER, new Delete("/a/b", true))).isTrue();
    // Neither is there any more: it may try to make them, but must not answer that they are.
    assertThatThrownBy(() -> fs.run(0, SUPERUSER, new Mkdirs("/a/b/c", mode(), true)))
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> fs.run(0, SUPERUSER, createdBy(ALICE, "/a/b/c")))
        .isNotInstanceOf(FileAlreadyExistsException.class)
        .isInstanceOf(StoreException.class);
    assertNoDamage();
  }

  private static FsPermission mode() {
    return new FsPermission((short) 0755);
  }

  /** The source is known, the other directory is renamed away meanwhile. */
  @Test
  void aFileIsMovedBeforeItsNewDirectoryIs() throws Exception {
    company.late(0).holdUpNext();
    CompletableFuture<Boolean> moved =
        fs.namespace(0).submit(SUPERUSER, new Rename("/a/b/c/file", "/a/d/file"));
    assertThat(company.late(0).isHeldUp()).isTrue();
    CompletableFuture<Boolean> renamed = other(new Rename("/a/d", "/a/e"));
    assertThat(renamed).isNotDone();
    company.late(0).deliver();
    assertThat(moved.get(60, TimeUnit.SECONDS)).isTrue();
    assertThat(renamed.get(60, TimeUnit.SECONDS)).isTrue();
    assertThat(look(1, "/a/e/file")).isNotNull();
    assertNoDamage();
  }
}
