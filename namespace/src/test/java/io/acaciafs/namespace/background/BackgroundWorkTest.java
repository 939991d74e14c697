package io.acaciafs.namespace.background;

import static io.acaciafs.namespace.testkit.NamespaceFixture.CLIENT;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.memory.Fault;
import io.acaciafs.kv.memory.Faults;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.namespace.lease.Leases;
import io.acaciafs.namespace.op.block.CommitBlockSynchronization;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.op.file.AppendFile;
import io.acaciafs.namespace.op.file.CompleteFile;
import io.acaciafs.namespace.op.lease.RecoverLease;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.testkit.FakeBlocks;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BackgroundWorkTest {
  private static final long HARD_LIMIT_MS = 20 * 60 * 1000;

  private final Faults faults = Faults.onDemand();
  private final NamespaceFixture fs =
      new NamespaceFixture(
          new MemoryStore(faults), NamespaceFixture.settings(4, 0), new ManualClock());

  @AfterEach
  void close() {
    fs.close();
  }

  @Test
  void sweepingGoesOnAfterACrash() throws IOException {
    for (int i = 0; i < 300; i++) {
      fs.file("/d/" + i % 3 + "/" + i);
    }
    fs.fileWithBlock("/d/f", 1);
    fs.run(new Delete("/d", true));
    assertThat(BackgroundWork.sweepOnce(fs.namespace())).isTrue();
    fs.crash();
    fs.sweep();
    assertThat(fs.rows(NamespaceKeys.ENTRIES)).isEqualTo(2);
    assertThat(fs.rows(NamespaceKeys.JOBS)).isZero();
    assertThat(FakeBlocks.ids(fs.store())).isEmpty();
    assertThat(fs.damage(false)).isEmpty(); // index rows may stay behind a crash
  }

  @Test
  void anIdThatACrashLeftBehindLeadsToNoOtherFile() throws IOException {
    long old = fs.file("/d/f");
    long directory = fs.info("/d").inode().id();
    fs.run(new Delete("/d", true));
    fs.crash();
    fs.file("/d/f");
    assertThat(fs.damage(true)).isNotEmpty();
    for (long id : List.of(old, directory)) {
      assertThatThrownBy(() -> fs.info("/.reserved/.inodes/" + id))
          .isInstanceOf(FileNotFoundException.class);
    }
    assertThatThrownBy(() -> fs.run(new CompleteFile("/d/f", old, CLIENT, null)))
        .isInstanceOf(FileNotFoundException.class);
  }

  @Test
  void openFilesOfLivingWritersAreNotLookedThrough() throws IOException {
    fs.open("/f");
    BackgroundWork.checkLeases(fs.namespace()); // there may be some from before the start
    assertThat(fs.namespace().leases().beginLook()).isFalse();
    fs.clock.advanceMs(HARD_LIMIT_MS + 1);
    assertThat(fs.namespace().leases().beginLook()).isTrue();
    BackgroundWork.checkLeases(fs.namespace());
    assertThat(fs.fileAt("/f").isUnderConstruction()).isFalse();
    assertThat(fs.namespace().leases().beginLook()).isFalse();
  }

  @Test
  void aFileThatIsNotYetDurableIsNotTakenFromItsWriter() throws Exception {
    fs.open("/before"); // ids and names are there
    fs.clock.advanceMs(Leases.SOFT_LIMIT_MS + 1);
    faults.plan(Fault.DELAY);
    CompletableFuture<?> first =
        fs.namespace()
            .submit(SUPERUSER, NamespaceFixture.create("/f", 0644, "new", CreateFlag.CREATE));
    assertThat(first).isNotDone();
    assertThatThrownBy(
            () -> fs.run(NamespaceFixture.create("/f", 0644, "newer", CreateFlag.CREATE)))
        .isInstanceOf(AlreadyBeingCreatedException.class);
    ((MemoryStore) fs.store()).makeDurable();
    first.get(1, TimeUnit.SECONDS);
    assertThat(fs.fileAt("/f").writer().clientName()).isEqualTo("new");
  }

  @Test
  void whoFallsSilentDuringALookIsFoundByTheNext() {
    Leases leases = fs.namespace().leases();
    leases.endLook(leases.beginLook());
    leases.renew(CLIENT);
    fs.clock.advanceMs(HARD_LIMIT_MS);
    leases.beginLook();
    fs.clock.advanceMs(1);
    leases.endLook(true);
    assertThat(leases.beginLook()).isTrue();
  }

  @Test
  void aStuckRecoveryKeepsNobodysLeaseAlive() throws IOException {
    long stuck = fs.open("/stuck");
    fs.addBlock("/stuck", stuck, null);
    fs.open("/other");
    fs.clock.advanceMs(Leases.SOFT_LIMIT_MS + 1);
    assertThatThrownBy(() -> fs.run(new AppendFile("/stuck", "another", false)))
        .isInstanceOf(IOException.class);
    for (int i = 0; i < 3; i++) {
      fs.clock.advanceMs(HARD_LIMIT_MS / 2);
      BackgroundWork.checkLeases(fs.namespace());
    }
    assertThat(fs.fileAt("/stuck").isUnderConstruction()).isTrue();
    assertThat(fs.fileAt("/other").isUnderConstruction()).isFalse();
  }

  @Test
  void aWriterFromBeforeTheStartIsSilentAfterTheHardLimit() throws IOException {
    fs.open("/f");
    fs.crash();
    BackgroundWork.checkLeases(fs.namespace());
    fs.clock.advanceMs(HARD_LIMIT_MS);
    BackgroundWork.checkLeases(fs.namespace());
    assertThat(fs.fileAt("/f").isUnderConstruction()).isTrue();
    fs.clock.advanceMs(1);
    BackgroundWork.checkLeases(fs.namespace());
    assertThat(fs.fileAt("/f").isUnderConstruction()).isFalse();
  }

  @Test
  void aSilentWritersFileIsClosedAtTheHardLimit() throws IOException {
    fs.open("/f");
    fs.clock.advanceMs(HARD_LIMIT_MS);
    BackgroundWork.checkLeases(fs.namespace());
    assertThat(fs.fileAt("/f").isUnderConstruction()).isTrue();
    fs.clock.advanceMs(1);
    BackgroundWork.checkLeases(fs.namespace());
    assertThat(fs.fileAt("/f").isUnderConstruction()).isFalse();
    assertThat(fs.rows(NamespaceKeys.OPEN_FILES)).isZero();
  }

  @Test
  void aWriterFromBeforeTheStartIsKnown() throws IOException, InterruptedException {
    fs.open("/f");
    fs.crash();
    assertThat(fs.namespace().leases().wantsHolders()).isTrue();
    LeaseHolders.noteIfWanted(fs.namespace());
    fs.clock.advanceMs(HARD_LIMIT_MS);
    fs.namespace().leases().renewIfHeld(CLIENT);
    fs.namespace().leases().renewIfHeld("stranger");
    fs.clock.advanceMs(HARD_LIMIT_MS);
    BackgroundWork.checkLeases(fs.namespace());
    assertThat(fs.fileAt("/f").isUnderConstruction()).isTrue();
  }

  @Test
  void aWriterWhoRenewsKeepsItsFile() throws IOException {
    fs.open("/f");
    fs.clock.advanceMs(HARD_LIMIT_MS);
    fs.namespace().leases().renew(CLIENT);
    fs.clock.advanceMs(HARD_LIMIT_MS);
    BackgroundWork.checkLeases(fs.namespace());
    assertThat(fs.fileAt("/f").isUnderConstruction()).isTrue();
  }

  @Test
  void leasesCountAnewAfterARestart() throws IOException {
    fs.open("/f");
    fs.clock.advanceMs(HARD_LIMIT_MS);
    fs.crash();
    fs.clock.advanceMs(HARD_LIMIT_MS);
    BackgroundWork.checkLeases(fs.namespace());
    assertThat(fs.fileAt("/f").isUnderConstruction()).isTrue();
  }

  @Test
  void aFileWhoseLastBlockIsNotWholeIsClosedWhenDataNodesHaveRecoveredIt() throws IOException {
    long id = fs.open("/f");
    Block block = fs.addBlock("/f", id, null);
    fs.clock.advanceMs(HARD_LIMIT_MS + 1);
    BackgroundWork.checkLeases(fs.namespace());
    assertThat(fs.fileAt("/f").isUnderConstruction()).isTrue();
    assertThatThrownBy(() -> fs.run(new CompleteFile("/f", id, CLIENT, block)))
        .isInstanceOf(LeaseExpiredException.class);

    fs.crash();
    BackgroundWork.checkLeases(fs.namespace());
    fs.run(
        new CommitBlockSynchronization(
            block,
            block.getGenerationStamp() + 1,
            77,
            true,
            false,
            List.of(new DatanodeID(DatanodeID.EMPTY_DATANODE_ID)),
            List.of("storage")));
    assertThat(fs.fileAt("/f").isUnderConstruction()).isFalse();
    assertThat(fs.fileAt("/f").lengthBytes()).isEqualTo(77);
    assertThat(fs.rows(NamespaceKeys.OPEN_FILES)).isZero();
  }

  @Test
  void aFileThatWaitsForReplicasIsClosedWhenTheyCome() throws IOException {
    long id = fs.open("/f");
    Block block = fs.addBlock("/f", id, null);
    fs.run(new RecoverLease("/f", "another"));
    fs.run(
        new CommitBlockSynchronization(
            block, block.getGenerationStamp() + 1, 77, true, false, List.of(), List.of()));
    assertThat(fs.fileAt("/f").isUnderConstruction()).isTrue();
    fs.blocks.reportReplicas(fs.store(), block.getBlockId());
    BackgroundWork.checkLeases(fs.namespace());
    assertThat(fs.fileAt("/f").isUnderConstruction()).isFalse();
  }

  @Test
  void aFileThatCannotBeClosedDoesNotKeepOthersFromIt() throws IOException {
    fs.blocks.holdReplicas();
    long stuck = fs.open("/a");
    Block first = fs.addBlock("/a", stuck, null);
    Block second = fs.addBlock("/a", stuck, first);
    fs.run(new CompleteFile("/a", stuck, CLIENT, second));
    fs.run(
        tree -> {
          tree.blocks().commit(tree.transaction(), FileBlock.of(second));
          return null;
        });
    fs.open("/b");
    fs.clock.advanceMs(HARD_LIMIT_MS + 1);
    BackgroundWork.checkLeases(fs.namespace());
    assertThat(fs.fileAt("/a").isUnderConstruction()).isTrue();
    assertThat(fs.fileAt("/b").isUnderConstruction()).isFalse();
  }
}
