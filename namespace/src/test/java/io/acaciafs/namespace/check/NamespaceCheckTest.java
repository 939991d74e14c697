package io.acaciafs.namespace.check;

import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.check.CheckListener.Outcome;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.namespace.background.BackgroundWork;
import io.acaciafs.namespace.context.CallId;
import io.acaciafs.namespace.op.attribute.SetOwner;
import io.acaciafs.namespace.op.directory.CreateSymlink;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.op.directory.Rename;
import io.acaciafs.namespace.op.quota.SetQuota;
import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.DirectoryCounters;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.FormerDirectory;
import io.acaciafs.namespace.record.IdKind;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeLocation;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.OpenFile;
import io.acaciafs.namespace.record.QuotaCounts;
import io.acaciafs.namespace.record.RetryEntry;
import io.acaciafs.namespace.record.SweepJob;
import io.acaciafs.namespace.record.codec.Dictionary;
import io.acaciafs.namespace.record.codec.InodeCodec;
import io.acaciafs.namespace.testkit.CheckedStore;
import io.acaciafs.namespace.testkit.FakeBlocks;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each kind of damage, done to rows by hand: it is found, mended, and then gone. */
class NamespaceCheckTest {
  private static final byte[] GARBAGE = {(byte) 0xff, (byte) 0xff, (byte) 0xff};

  private NamespaceFixture fixture;

  @BeforeEach
  void fill() throws IOException {
    fixture =
        new NamespaceFixture(
            new MemoryStore(), NamespaceFixture.settingsOfBuckets(4, 0), new ManualClock());
    for (String directory : List.of("/d", "/d/sub", "/q", "/q/sub", "/other")) {
      fixture.mkdir(directory);
    }
    for (String file : List.of("/d/f1", "/d/f2", "/d/sub/g", "/q/x", "/q/sub/y")) {
      fixture.fileWithBlock(file, 100);
    }
    long open = fixture.open("/open");
    fixture.addBlock("/open", open, null);
    fixture.run(new SetQuota("/q", 100, HdfsConstants.QUOTA_DONT_SET, null));
    fixture.run(new CreateSymlink("/d/f1", "/link", FsPermission.getDefault(), true));
    fixture.mkdir("/other/before");
    fixture.run(
        SUPERUSER.in(new CallId(new byte[CallId.CLIENT_ID_LENGTH], 1, 0)),
        new Rename("/other/before", "/other/answered"));
    fixture.run(new SetOwner("/other", "alice", null));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Does something to rows. */
  @FunctionalInterface
  interface Deed {
    void run(NamespaceCheckTest test, Transaction tx) throws IOException;
  }

  /**
   * @param kinds what is found, in this order
   */
  record Damage(String name, Deed deed, List<String> kinds) {
    static Damage of(String name, Deed deed, String... kinds) {
      return new Damage(name, deed, List.of(kinds));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Damage> mendable() {
    return Stream.of(
        Damage.of(
            "no location",
            (test, tx) -> tx.delete(NamespaceKeys.inode(test.id("/d/f1"))),
            "no-location"),
        Damage.of(
            "no location of a directory",
            (test, tx) -> tx.delete(NamespaceKeys.inode(test.id("/d"))),
            "no-location"),
        Damage.of(
            "location of another",
            (test, tx) ->
                tx.put(
                    NamespaceKeys.inode(test.id("/d/f1")),
                    new InodeLocation(test.directory("/d").locator(), bytes("nothing")).encode()),
            "wrong-location",
            "dangling-location"),
        Damage.of(
            "location of nothing",
            (test, tx) ->
                tx.put(
                    NamespaceKeys.inode(16_999),
                    new InodeLocation(test.directory("/d").locator(), bytes("f1")).encode()),
            "dangling-location"),
        Damage.of(
            "counted too many",
            (test, tx) -> {
              Key key =
                  NamespaceKeys.counters(test.directory("/d").locator(), test.bucket("/d/f1"));
              tx.add(key, DirectoryCounters.delta(7, 1));
            },
            "wrong-count"),
        Damage.of(
            "not counted",
            (test, tx) ->
                tx.delete(
                    NamespaceKeys.counters(test.directory("/d").locator(), test.bucket("/d/f1"))),
            "wrong-count"),
        Damage.of(
            "no open file",
            (test, tx) -> tx.delete(NamespaceKeys.openFile(test.id("/open"))),
            "no-open-file"),
        Damage.of(
            "open file of nothing",
            (test, tx) ->
                tx.put(
                    NamespaceKeys.openFile(test.id("/d/f1")), new OpenFile("me", false).encode()),
            "dangling-open-file"),
        Damage.of(
            "open file of another writer",
            (test, tx) ->
                tx.put(NamespaceKeys.openFile(test.id("/open")), new OpenFile("me", true).encode()),
            "dangling-open-file"),
        Damage.of(
            "no header",
            (test, tx) -> tx.delete(NamespaceKeys.header(test.directory("/d").locator())),
            "wrong-header"),
        Damage.of(
            "unreadable header",
            (test, tx) -> tx.put(NamespaceKeys.header(test.directory("/d").locator()), GARBAGE),
            "wrong-header"),
        Damage.of(
            "orphan",
            (test, tx) -> {
              test.cut(tx, "/d");
              tx.delete(NamespaceKeys.inode(test.id("/d")));
            },
            "orphan-directory"),
        Damage.of(
            "orphan with a location",
            (test, tx) -> test.cut(tx, "/d"),
            "orphan-directory",
            "dangling-location"),
        Damage.of("loop", NamespaceCheckTest::loop, "loop"),
        Damage.of(
            "counters of nothing",
            (test, tx) ->
                tx.put(
                    NamespaceKeys.counters(Locator.spread(16_400), 0),
                    new DirectoryCounters(0, 1, 1).encode()),
            "rows-of-no-directory"),
        Damage.of(
            "wrong bucket", NamespaceCheckTest::toWrongBucket, "wrong-bucket", "dangling-location"),
        Damage.of(
            "no usage",
            (test, tx) -> tx.delete(NamespaceKeys.quotaUsage(test.id("/q"))),
            "no-quota-usage"),
        Damage.of(
            "wrong usage",
            (test, tx) ->
                tx.add(NamespaceKeys.quotaUsage(test.id("/q")), QuotaCounts.ONE_NAME.toCounters()),
            "wrong-quota-usage"),
        Damage.of(
            "usage of nothing",
            (test, tx) ->
                tx.put(
                    NamespaceKeys.quotaUsage(test.id("/d")),
                    QuotaCounts.ONE_NAME.toCounters().encode()),
            "usage-of-no-quota"),
        Damage.of(
            "answer without index",
            (test, tx) ->
                tx.put(
                    NamespaceKeys.retry(
                        test.directory("/other").locator(),
                        0,
                        new byte[CallId.CLIENT_ID_LENGTH],
                        1),
                    new RetryEntry(1, 1).encode()),
            "answer-without-index"),
        Damage.of(
            "former directory without index",
            (test, tx) ->
                tx.put(
                    NamespaceKeys.formerDirectory(
                        test.directory("/other").locator(),
                        0,
                        "name".getBytes(),
                        test.directory("/d").locator()),
                    new FormerDirectory(Buckets.ONE, 1).encode()),
            "answer-without-index"),
        Damage.of(
            "sweep of what is there",
            (test, tx) -> {
              DirectoryInode d = test.directory("/d");
              tx.put(NamespaceKeys.job(1), new SweepJob(d.id(), d.locator(), d.buckets()).encode());
            },
            "sweep-of-live-directory",
            "id-counter"),
        Damage.of(
            "ids of inodes forgotten",
            (test, tx) -> tx.delete(NamespaceKeys.nextId(IdKind.INODE)),
            "id-counter"),
        Damage.of(
            "ids of blocks forgotten",
            (test, tx) -> tx.delete(NamespaceKeys.nextId(IdKind.BLOCK)),
            "id-counter"),
        Damage.of(
            "ids of names forgotten",
            (test, tx) -> tx.delete(NamespaceKeys.nextNameId()),
            "id-counter"),
        Damage.of(
            "number of a name",
            (test, tx) -> tx.delete(NamespaceKeys.idOfName("hdfs")),
            "number-of-wrong-name"),
        Damage.of(
            "name of a number",
            NamespaceCheckTest::forgetName,
            "name-of-wrong-number",
            "unreadable-entry"),
        Damage.of(
            "no block",
            (test, tx) -> tx.delete(FakeBlocks.ofStore().key(test.block("/d/f1").id())),
            "no-block"),
        Damage.of(
            "block of another file",
            (test, tx) ->
                FakeBlocks.ofStore().assign(tx, test.file("/d/f2"), test.block("/d/f1").id()),
            "block-of-another-file"),
        Damage.of(
            "other replication",
            (test, tx) ->
                FakeBlocks.ofStore()
                    .assign(
                        tx,
                        test.file("/d/f1").withReplication((short) 1),
                        test.block("/d/f1").id()),
            "block-replication"));
  }

  static Stream<Damage> beyondRepair() {
    return Stream.of(
        Damage.of(
            "unreadable entry",
            (test, tx) -> tx.put(test.key("/d/f1"), GARBAGE),
            "unreadable-entry"),
        Damage.of(
            "unreadable header of nothing, whose entries may be anywhere",
            (test, tx) -> tx.put(NamespaceKeys.header(Locator.spread(16_400)), GARBAGE),
            "rows-of-no-directory"),
        Damage.of(
            "an inode in two places",
            (test, tx) -> {
              DirectoryInode other = test.directory("/other");
              byte[] name = bytes("again");
              int bucket = other.buckets().of(name);
              tx.put(
                  NamespaceKeys.entry(other.locator(), bucket, name),
                  test.fixture.store().get(test.key("/d/f1")));
              tx.add(
                  NamespaceKeys.counters(other.locator(), bucket), DirectoryCounters.delta(1, 1));
            },
            "inode-twice"),
        Damage.of(
            "a file with a block of another length",
            (test, tx) -> {
              FileInode file = test.file("/d/f1");
              test.put(tx, "/d/f1", file.withLastBlock(file.lastBlock().withLengthBytes(7)));
            },
            "block-differs"),
        Damage.of(
            "a block in two files",
            (test, tx) -> {
              FileInode file = test.file("/d/f1");
              test.put(tx, "/d/f1", file.withAppendedBlock(test.block("/d/f2")));
            },
            "block-of-two-files"));
  }

  @ParameterizedTest
  @MethodSource("mendable")
  void damageIsFoundAndMended(Damage damage) throws Exception {
    assertThat(fixture.damage(true)).isEmpty();
    raw(damage.deed);
    assertThat(fixture.check(false).kinds()).isEqualTo(damage.kinds);

    CheckedStore repaired = fixture.check(true);
    assertThat(repaired.outcomes()).isNotEmpty().containsOnly(Outcome.REPAIRED);
    assertThat(fixture.damage(true)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("beyondRepair")
  void whatNobodyCanKnowIsFoundAndLeftAlone(Damage damage) throws Exception {
    raw(damage.deed);
    assertThat(fixture.check(false).kinds()).isEqualTo(damage.kinds);

    CheckedStore repaired = fixture.check(true);
    assertThat(repaired.kinds()).isEqualTo(damage.kinds);
    assertThat(repaired.outcomes()).containsOnly(Outcome.NOT_REPAIRED);
    assertThat(fixture.check(false).kinds()).isEqualTo(damage.kinds);
  }

  @Test
  void whatIsInNoDirectoryIsFoundInLostAndFound() throws Exception {
    long id = id("/d");
    raw((test, tx) -> cut(tx, "/d"));
    fixture.check(true);

    assertThat(fixture.list("/lost+found")).containsExactly("directory-" + id);
    assertThat(fixture.list("/lost+found/directory-" + id)).containsExactly("f1", "f2", "sub");
    assertThat(fixture.exists("/lost+found/directory-" + id + "/sub/g")).isTrue();
  }

  @Test
  void loopsAreCut() throws Exception {
    raw(NamespaceCheckTest::loop);
    fixture.check(true);

    assertThat(fixture.list("/lost+found")).hasSize(1);
    String top = "/lost+found/" + fixture.list("/lost+found").get(0);
    assertThat(fixture.list(top)).contains("f1", "sub");
    assertThat(fixture.list(top + "/sub")).contains("g").hasSize(1);
  }

  @Test
  void directoriesThatAreBeingRemovedAreNotLost() throws Exception {
    fixture.run(new Delete("/d", true));
    assertThat(fixture.damage(true)).isEmpty();
    BackgroundWork.sweepOnce(fixture.namespace());
    assertThat(fixture.damage(true)).isEmpty();
    fixture.sweep();
    assertThat(fixture.damage(true)).isEmpty();
  }

  @Test
  void bucketsThatAreBeingDividedAreInOrder() throws Exception {
    try (NamespaceFixture dividing =
        new NamespaceFixture(
            new MemoryStore(), NamespaceFixture.settingsOfBuckets(1, 4), new ManualClock())) {
      dividing.mkdir("/s");
      for (int i = 0; i < 40; i++) {
        dividing.file("/s/" + i);
      }
      boolean more = true;
      for (int steps = 0; more; steps++) {
        assertThat(dividing.damage(true)).as("after %s steps", steps).isEmpty();
        more = BackgroundWork.splitOnce(dividing.namespace());
      }
    }
  }

  @Test
  void aDivisionThatNobodyGoesOnWithIsTakenUp() throws Exception {
    try (NamespaceFixture dividing = dividing("/s")) {
      Transaction tx = dividing.store().begin();
      tx.delete(NamespaceKeys.splitJob(dividing.info("/s").inode().id()));
      tx.commit().get();

      assertThat(dividing.check(true).kinds()).containsExactly("no-split-job");
      assertThat(dividing.damage(true)).isEmpty();
      BackgroundWork.split(dividing.namespace());
      assertThat(dividing.damage(true)).isEmpty();
      assertThat(dividing.list("/s")).hasSize(40);
    }
  }

  @Test
  void aDivisionBelowADirectoryThatIsBeingRemovedEnds() throws Exception {
    try (NamespaceFixture dividing = dividing("/p/s")) {
      dividing.run(new Delete("/p", true));
      BackgroundWork.split(dividing.namespace());

      try (Scan jobs = dividing.store().scan(NamespaceKeys.splitJobs())) {
        assertThat(jobs.hasNext()).isFalse();
      }
      assertThat(dividing.damage(true)).isEmpty();
      dividing.sweep();
      assertThat(dividing.damage(true)).isEmpty();
    }
  }

  /** One with a directory of which a bucket is being divided. */
  private static NamespaceFixture dividing(String path) throws Exception {
    NamespaceFixture dividing =
        new NamespaceFixture(
            new MemoryStore(), NamespaceFixture.settingsOfBuckets(1, 4), new ManualClock());
    dividing.mkdir(path);
    for (int i = 0; i < 40; i++) {
      dividing.file(path + '/' + i);
    }
    DirectoryInode directory = (DirectoryInode) dividing.info(path).inode();
    while (directory.buckets().filling() == 0) {
      BackgroundWork.splitOnce(dividing.namespace());
      directory = (DirectoryInode) dividing.info(path).inode();
    }
    return dividing;
  }

  // ---- what is done to rows

  private void raw(Deed deed) throws Exception {
    Transaction tx = fixture.store().begin();
    deed.run(this, tx);
    tx.commit().get();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private long id(String path) throws IOException {
    return fixture.info(path).inode().id();
  }

  private DirectoryInode directory(String path) throws IOException {
    return (DirectoryInode) fixture.info(path).inode();
  }

  private FileInode file(String path) throws IOException {
    return fixture.fileAt(path);
  }

  private FileBlock block(String path) throws IOException {
    return file(path).lastBlock();
  }

  private static String parent(String path) {
    return path.lastIndexOf('/') == 0 ? "/" : path.substring(0, path.lastIndexOf('/'));
  }

  private static byte[] name(String path) {
    return bytes(path.substring(path.lastIndexOf('/') + 1));
  }

  private int bucket(String path) throws IOException {
    return directory(parent(path)).buckets().of(name(path));
  }

  private Key key(String path) throws IOException {
    return NamespaceKeys.entry(directory(parent(path)).locator(), bucket(path), name(path));
  }

  private void put(Transaction tx, String path, Inode inode) throws IOException {
    tx.put(key(path), InodeCodec.in(tx, new Dictionary()).encode(inode));
  }

  /** Removes an entry, and nothing that belongs to it but that it is counted. */
  private void cut(Transaction tx, String path) throws IOException {
    tx.delete(key(path));
    tx.add(
        NamespaceKeys.counters(directory(parent(path)).locator(), bucket(path)),
        DirectoryCounters.delta(-1, 1));
  }

  /** Moves /d below its own /d/sub. */
  private static void loop(NamespaceCheckTest test, Transaction tx) throws IOException {
    DirectoryInode sub = test.directory("/d/sub");
    byte[] name = bytes("d");
    int bucket = sub.buckets().of(name);
    tx.put(
        NamespaceKeys.entry(sub.locator(), bucket, name), test.fixture.store().get(test.key("/d")));
    tx.put(NamespaceKeys.inode(test.id("/d")), new InodeLocation(sub.locator(), name).encode());
    tx.add(NamespaceKeys.counters(sub.locator(), bucket), DirectoryCounters.delta(1, 1));
    test.cut(tx, "/d");
  }

  private static void toWrongBucket(NamespaceCheckTest test, Transaction tx) throws IOException {
    DirectoryInode parent = test.directory("/d");
    int wrong = (test.bucket("/d/f1") + 0x4000) & 0xffff;
    tx.put(
        NamespaceKeys.entry(parent.locator(), wrong, bytes("f1")),
        test.fixture.store().get(test.key("/d/f1")));
    tx.add(NamespaceKeys.counters(parent.locator(), wrong), DirectoryCounters.delta(1, 1));
    test.cut(tx, "/d/f1");
  }

  private static void forgetName(NamespaceCheckTest test, Transaction tx) {
    byte[] row = test.fixture.store().get(NamespaceKeys.idOfName("alice"));
    tx.delete(NamespaceKeys.nameOfId(ByteBuffer.wrap(row).getInt()));
  }
}
