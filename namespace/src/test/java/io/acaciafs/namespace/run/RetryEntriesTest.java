package io.acaciafs.namespace.run;

import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static io.acaciafs.namespace.testkit.NamespaceFixture.create;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.namespace.background.BackgroundWork;
import io.acaciafs.namespace.context.CallId;
import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.op.attribute.ListXAttrs;
import io.acaciafs.namespace.op.attribute.ModifyAclEntries;
import io.acaciafs.namespace.op.attribute.RemoveAcl;
import io.acaciafs.namespace.op.attribute.RemoveXAttr;
import io.acaciafs.namespace.op.attribute.SetAcl;
import io.acaciafs.namespace.op.attribute.SetOwner;
import io.acaciafs.namespace.op.attribute.SetPermission;
import io.acaciafs.namespace.op.attribute.SetReplication;
import io.acaciafs.namespace.op.attribute.SetTimes;
import io.acaciafs.namespace.op.attribute.SetXAttr;
import io.acaciafs.namespace.op.block.UpdatePipeline;
import io.acaciafs.namespace.op.directory.CreateSymlink;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.op.directory.Rename;
import io.acaciafs.namespace.op.directory.Rename2;
import io.acaciafs.namespace.op.file.AppendFile;
import io.acaciafs.namespace.op.file.CompleteFile;
import io.acaciafs.namespace.op.file.ConcatFiles;
import io.acaciafs.namespace.op.file.TruncateFile;
import io.acaciafs.namespace.op.lease.RecoverLease;
import io.acaciafs.namespace.op.policy.GetStoragePolicy;
import io.acaciafs.namespace.op.policy.SetStoragePolicy;
import io.acaciafs.namespace.op.quota.SetQuota;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.RetryEntry;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import io.acaciafs.namespace.tree.InodeStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.Block;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client that got no reply sends the call again: with the same ids and a higher retry count. */
class RetryEntriesTest {
  private static final byte[] CLIENT_ID = "sixteen bytes id".getBytes();

  private final NamespaceFixture fs =
      new NamespaceFixture(newStore(), NamespaceFixture.settings(4, 0), new ManualClock());

  Store newStore() {
    return new MemoryStore();
  }

  @BeforeEach
  void makeDirectories() throws IOException {
    fs.mkdir("/from");
    fs.mkdir("/to");
  }

  @AfterEach
  void close() {
    fs.close();
  }

  private static Caller attempt(int callId, int retryCount) {
    return SUPERUSER.in(new CallId(CLIENT_ID, callId, retryCount));
  }

  @Test
  void createAnswersWithTheFileThatItMade() throws IOException {
    InodeStatus first = fs.run(attempt(1, 0), create("/from/file", 0644, "c", CreateFlag.CREATE));
    InodeStatus second = fs.run(attempt(1, 1), create("/from/file", 0644, "c", CreateFlag.CREATE));

    assertThat(second.inode()).isEqualTo(first.inode());
  }

  @Test
  void createFindsItsAnswerBelowDirectoriesThatItMadeItself() throws IOException {
    String path = "/from/new/newer/file";
    InodeStatus first = fs.run(attempt(1, 0), create(path, 0644, "c", CreateFlag.CREATE));
    InodeStatus second = fs.run(attempt(1, 1), create(path, 0644, "c", CreateFlag.CREATE));

    assertThat(second.inode()).isEqualTo(first.inode());
  }

  @Test
  void anotherCallIsNoRepetition() throws IOException {
    fs.run(attempt(1, 0), create("/from/file", 0644, "c", CreateFlag.CREATE));
    assertThatThrownBy(
            () -> fs.run(attempt(2, 1), create("/from/file", 0644, "c", CreateFlag.CREATE)))
        .isInstanceOf(AlreadyBeingCreatedException.class);
  }

  @Test
  void deleteRemovesOnce() throws IOException {
    fs.file("/from/file");
    assertThat(fs.run(attempt(1, 0), new Delete("/from/file", false))).isTrue();
    fs.file("/from/file");

    assertThat(fs.run(attempt(1, 1), new Delete("/from/file", false))).isTrue();
    assertThat(fs.exists("/from/file")).isTrue();
  }

  @Test
  void aDeleteFindsItsAnswerAfterItsDirectoryWasMoved() throws IOException {
    fs.mkdir("/from/dir");
    assertThat(fs.run(attempt(1, 0), new Delete("/from/dir", true))).isTrue();
    fs.run(SUPERUSER, new Rename("/from", "/moved"));

    assertThat(fs.run(attempt(1, 1), new Delete("/from/dir", true))).isTrue();
  }

  /** As of a Router, which sends a call that it repeats as a first attempt. */
  @Test
  void aCallThatDoesNotSayWhetherItIsARepetition() throws IOException {
    fs.file("/from/file");
    fs.mkdir("/from/dir");
    List<AtMostOnce<Boolean>> calls =
        List.of(
            new Rename("/from/file", "/to/file"),
            new Delete("/to/file", false),
            new Delete("/from/dir", true));
    for (int id = 0; id < calls.size(); id++) {
      for (int i = 0; i < 3; i++) {
        assertThat(fs.run(attempt(id, -1), calls.get(id))).isTrue();
      }
    }
    AtMostOnce<InodeStatus> create = create("/from/new/newer/file", 0644, "c", CreateFlag.CREATE);
    long made = fs.run(attempt(10, -1), create).inode().id();
    assertThat(fs.run(attempt(10, -1), create).inode().id()).isEqualTo(made);
    fs.run(SUPERUSER, new Rename("/from", "/moved"));
    assertThat(fs.run(attempt(2, -1), new Delete("/from/dir", true))).isTrue();

    AtMostOnce<InodeStatus> replace =
        create("/new/newer/file", 0644, "c", CreateFlag.CREATE, CreateFlag.OVERWRITE);
    made = fs.run(attempt(11, -1), replace).inode().id();
    assertThat(fs.run(attempt(11, -1), replace).inode().id()).isEqualTo(made);
    assertThatThrownBy(() -> fs.run(attempt(12, -1), create("/to/no/file", 0644, "c")))
        .isInstanceOf(IOException.class);
  }

  @Test
  void aDeleteOfNothingIsTriedAgain() throws IOException {
    assertThat(fs.run(attempt(1, 0), new Delete("/from/file", false))).isFalse();
    fs.file("/from/file");

    assertThat(fs.run(attempt(1, 1), new Delete("/from/file", false))).isTrue();
    assertThat(fs.exists("/from/file")).isFalse();
  }

  @Test
  void renameMovesOnce() throws IOException {
    fs.file("/from/file");
    assertThat(fs.run(attempt(1, 0), new Rename("/from/file", "/to/file"))).isTrue();
    assertThat(fs.run(attempt(1, 1), new Rename("/from/file", "/to/file"))).isTrue();

    assertThat(fs.list("/from")).isEmpty();
    assertThat(fs.list("/to")).containsExactly("file");
  }

  @Test
  void rename2DoesNotOverwriteItsOwnResult() throws IOException {
    Rename2 rename = new Rename2("/from/file", "/to/file", EnumSet.of(Options.Rename.OVERWRITE));
    long moved = fs.file("/from/file");
    fs.run(attempt(1, 0), rename);
    long other = fs.file("/from/file");
    fs.run(attempt(1, 1), rename);

    assertThat(fs.info("/to/file").inode().id()).isEqualTo(moved);
    assertThat(fs.info("/from/file").inode().id()).isEqualTo(other);
  }

  @Test
  void answersSurviveACrash() throws IOException {
    fs.file("/from/file");
    fs.run(attempt(1, 0), new Rename("/from/file", "/to/file"));
    fs.crash();

    assertThat(fs.run(attempt(1, 1), new Rename("/from/file", "/to/file"))).isTrue();
  }

  @Test
  void answersAreForgottenAfterTenMinutes() throws Exception {
    fs.file("/from/file");
    fs.run(attempt(1, 0), new Delete("/from/file", false));
    fs.clock.advanceMs(Duration.ofMinutes(9).toMillis());
    BackgroundWork.expireRetries(fs.namespace());
    assertThat(fs.run(attempt(1, 1), new Delete("/from/file", false))).isTrue();

    fs.clock.advanceMs(Duration.ofMinutes(6).toMillis());
    BackgroundWork.expireRetries(fs.namespace());
    assertThat(fs.run(attempt(1, 2), new Delete("/from/file", false))).isFalse();
    assertThat(fs.rows(NamespaceKeys.RETRIES)).isZero();
  }

  @Test
  void anAnswerOfAnEarlierVersionIsFoundInItsDirectory() throws Exception {
    Locator directory = ((DirectoryInode) fs.info("/from").inode()).locator();
    byte[] answer = new RetryEntry(1, fs.clock.millis()).encode();
    fs.namespace()
        .runner()
        .submit(
            transaction -> {
              transaction.put(NamespaceKeys.retry(directory, 0, CLIENT_ID, 1), answer);
              return null;
            })
        .get(1, TimeUnit.MINUTES);
    fs.file("/from/file");

    assertThat(fs.run(attempt(1, 1), new Delete("/from/file", false))).isTrue();
    assertThat(fs.exists("/from/file")).isTrue();
  }

  /** HDFS's retry cache has the whole answer. */
  @Test
  void aCreateWhoseFileIsGoneIsAnsweredAsItWas() throws IOException {
    InodeStatus first = fs.run(attempt(1, 0), create("/from/file", 0644, "c", CreateFlag.CREATE));
    fs.run(new Delete("/from/file", false));

    InodeStatus second = fs.run(attempt(1, 1), create("/from/file", 0644, "c", CreateFlag.CREATE));
    assertThat(second.inode().id()).isEqualTo(first.inode().id());
    assertThat(second.inode().attributes().permission())
        .isEqualTo(first.inode().attributes().permission());
    assertThat(fs.exists("/from/file")).isFalse();
  }

  @Test
  void appendAnswersWithTheBlockThatItReopened() throws IOException {
    fs.fileWithBlock("/from/file", 100);
    AppendFile append = new AppendFile("/from/file", "c", false);
    AppendFile.Appended first = fs.run(attempt(1, 0), append);
    AppendFile.Appended second = fs.run(attempt(1, 1), append);

    assertThat(second.reopened().getBlock()).isEqualTo(first.reopened().getBlock());
    assertThat(second.status().inode()).isEqualTo(first.status().inode());
  }

  @Test
  void concatAndUpdatePipelineTakeEffectOnce() throws IOException {
    fs.fileWithBlock("/from/a", 100);
    fs.fileWithBlock("/from/b", 100);
    ConcatFiles concat = new ConcatFiles("/from/a", List.of("/from/b"));
    fs.run(attempt(1, 0), concat);
    fs.run(attempt(1, 1), concat);
    assertThat(fs.fileAt("/from/a").lengthBytes()).isEqualTo(200);

    long id = fs.open("/from/c");
    Block block = fs.addBlock("/from/c", id, null);
    Block updated = new Block(block.getBlockId(), 5, block.getGenerationStamp() + 1);
    UpdatePipeline update =
        new UpdatePipeline(NamespaceFixture.CLIENT, block, updated, List.of(), List.of());
    fs.run(attempt(2, 0), update);
    fs.run(attempt(2, 1), update);
    assertThat(fs.fileAt("/from/c").lengthBytes()).isEqualTo(5);
  }

  @Test
  void updatePipelineFindsItsAnswerAfterTheFileWasMoved() throws IOException {
    long id = fs.open("/from/file");
    Block block = fs.addBlock("/from/file", id, null);
    UpdatePipeline update =
        new UpdatePipeline(
            NamespaceFixture.CLIENT,
            block,
            new Block(block.getBlockId(), 5, block.getGenerationStamp() + 1),
            List.of(),
            List.of());
    fs.run(attempt(1, 0), update);
    fs.run(new Rename("/from/file", "/to/file"));

    fs.run(attempt(1, 1), update);
    assertThat(fs.fileAt("/to/file").lengthBytes()).isEqualTo(5);
  }

  @Test
  void aSymlinkIsMadeOnce() throws IOException {
    CreateSymlink create =
        new CreateSymlink("/to", "/from/new/link", FsPermission.getDefault(), true);
    fs.run(attempt(1, 0), create);
    fs.run(attempt(1, 1), create);
    assertThat(fs.list("/from/new")).containsExactly("link");

    assertThatThrownBy(() -> fs.run(attempt(2, 1), create)).isInstanceOf(IOException.class);
  }

  @Test
  void aDeleteByInodeIdFindsItsAnswerAlthoughTheInodeIsGone() throws IOException {
    Delete delete = new Delete("/.reserved/.inodes/" + fs.file("/from/file"), false);
    assertThat(fs.run(attempt(1, 0), delete)).isTrue();

    assertThat(fs.run(attempt(1, 1), delete)).isTrue();
  }

  @Test
  void attributesAreSetAndRemovedOnce() throws IOException {
    fs.file("/from/file");
    for (String path : List.of("/", "/from", "/from/file")) {
      XAttr xattr = new XAttr.Builder().setName("x").setValue(new byte[] {1}).build();
      SetXAttr set = new SetXAttr(path, xattr, EnumSet.of(XAttrSetFlag.CREATE));
      fs.run(attempt(path.length(), 0), set);
      fs.run(attempt(path.length(), 1), set);

      RemoveXAttr remove = new RemoveXAttr(path, xattr);
      fs.run(attempt(100 + path.length(), 0), remove);
      fs.run(attempt(100 + path.length(), 1), remove);
      assertThat(fs.run(new ListXAttrs(path))).isEmpty();
    }
  }

  @Test
  void theSameNumberOfAnotherClientIsNoRepetition() throws IOException {
    Delete delete = new Delete("/from/file", false);
    fs.file("/from/file");
    fs.run(attempt(1, 0), delete);
    Caller other = SUPERUSER.in(new CallId("another client's".getBytes(), 1, 1));

    assertThat(fs.run(other, delete)).isFalse();
  }

  @Test
  void anAppendOfANewBlockAnswersWithTheBlockBefore() throws IOException {
    for (long lengthBytes : List.of(100L, 1024L)) {
      String path = "/from/file-" + lengthBytes;
      Block last = fs.fileWithBlock(path, lengthBytes);
      AppendFile append = new AppendFile(path, "c", true);
      fs.run(attempt((int) lengthBytes, 0), append);
      AppendFile.Appended second = fs.run(attempt((int) lengthBytes, 1), append);

      assertThat(second.reopened()).isNull();
      assertThat(second.previous().id()).isEqualTo(last.getBlockId());
    }
  }

  @Test
  void anAppendBehindAFullBlockOrNoneAnswersWithNoBlock() throws IOException {
    fs.fileWithBlock("/from/full", 1024);
    fs.file("/from/empty");
    int call = 0;
    for (String path : List.of("/from/full", "/from/empty")) {
      AppendFile append = new AppendFile(path, "c", false);
      fs.run(attempt(++call, 0), append);
      AppendFile.Appended second = fs.run(attempt(call, 1), append);

      assertThat(second.reopened()).isNull();
      assertThat(second.status().inode()).isEqualTo(fs.fileAt(path));
    }
  }

  /** HDFS-16322. */
  @Test
  void aTruncateDoesNotCutWhatWasAppendedSince() throws IOException {
    fs.fileWithBlock("/from/file", 1024);
    for (long lengthBytes : List.of(0L, 1024L)) {
      TruncateFile truncate = new TruncateFile("/from/file", lengthBytes, "c");
      assertThat(fs.run(attempt((int) lengthBytes + 1, 0), truncate)).isTrue();
      append("/from/file", 1024);

      assertThat(fs.run(attempt((int) lengthBytes + 1, 1), truncate)).isTrue();
      assertThat(fs.fileAt("/from/file").lengthBytes()).isEqualTo(lengthBytes + 1024);
      fs.run(new TruncateFile("/from/file", 1024, "c"));
    }
  }

  /** Of full blocks, so that it goes into a new one. */
  private void append(String path, long lengthBytes) throws IOException {
    fs.run(new AppendFile(path, NamespaceFixture.CLIENT, false));
    long id = fs.fileAt(path).id();
    FileBlock last = fs.fileAt(path).lastBlock();
    Block block = fs.addBlock(path, id, last == null ? null : last.toBlock());
    block.setNumBytes(lengthBytes);
    fs.run(new CompleteFile(path, id, NamespaceFixture.CLIENT, block));
  }

  @Test
  void aTruncateWithinABlockAnswersThatItGoesOn() throws IOException {
    fs.fileWithBlock("/from/file", 1024);
    TruncateFile truncate = new TruncateFile("/from/file", 100, "c");
    assertThat(fs.run(attempt(1, 0), truncate)).isFalse();
    fs.run(new Delete("/from/file", false));
    fs.fileWithBlock("/from/file", 1024);

    assertThat(fs.run(attempt(1, 1), truncate)).isFalse();
    assertThat(fs.fileAt("/from/file").lengthBytes()).isEqualTo(1024);
  }

  /** Calls that HDFS treats as idempotent, although a repetition would undo later changes. */
  @Test
  void whatOthersHaveSetSinceStays() throws IOException {
    fs.file("/from/file");
    for (String path : List.of("/from", "/from/file")) {
      int call = path.length() * 100;
      for (NamespaceOperation<?> first :
          List.of(
              new SetPermission(path, new FsPermission((short) 0777)),
              new SetOwner(path, "stranger", "strangers"),
              new SetTimes(path, 17, 17),
              new SetReplication(path, (short) 1),
              new SetAcl(path, AclEntry.parseAclSpec("user::rwx,group::rwx,other::rwx", true)),
              new ModifyAclEntries(path, AclEntry.parseAclSpec("user:stranger:rwx", true)))) {
        fs.run(attempt(++call, 0), first);
        setBack(path);
        fs.run(attempt(call, 1), first);
        String now = describe(path);
        setBack(path);
        assertThat(now).as(first.toString()).isEqualTo(describe(path));
      }
    }
    SetQuota quota = new SetQuota("/from", 5, 5_000, null);
    fs.run(attempt(1, 0), quota);
    fs.run(new SetQuota("/from", 100, 100_000, null));
    fs.run(attempt(1, 1), quota);
    assertThat(fs.info("/from").inode().features().quota().names()).isEqualTo(100);
    SetStoragePolicy policy = new SetStoragePolicy("/from", "ALL_SSD");
    fs.run(attempt(2, 0), policy);
    fs.run(new SetStoragePolicy("/from", "COLD"));
    fs.run(attempt(2, 1), policy);
    assertThat(fs.run(new GetStoragePolicy("/from")).getName()).isEqualTo("COLD");
  }

  private void setBack(String path) throws IOException {
    fs.run(new RemoveAcl(path));
    fs.run(new SetPermission(path, new FsPermission((short) 0700)));
    fs.run(new SetOwner(path, "hdfs", "supergroup"));
    fs.run(new SetTimes(path, 1, 1));
    fs.run(new SetReplication(path, (short) 3));
  }

  private String describe(String path) throws IOException {
    Inode inode = fs.info(path).inode();
    return inode.attributes() + " " + inode.features().acl();
  }

  /** A second writer does not lose its lease to a repeated earlier call. */
  @Test
  void aLeaseIsRecoveredOnce() throws IOException {
    fs.open("/from/file");
    RecoverLease recover = new RecoverLease("/from/file", "c");
    assertThat(fs.run(attempt(1, 0), recover)).isTrue();
    fs.run(new AppendFile("/from/file", "another", false));

    assertThat(fs.run(attempt(1, 1), recover)).isTrue();
    assertThat(fs.fileAt("/from/file").writer().clientName()).isEqualTo("another");
  }
}
