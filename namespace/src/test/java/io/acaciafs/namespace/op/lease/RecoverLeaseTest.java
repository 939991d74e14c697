package io.acaciafs.namespace.op.lease;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static io.acaciafs.namespace.testkit.NamespaceFixture.BOB;
import static io.acaciafs.namespace.testkit.NamespaceFixture.CLIENT;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namespace.op.OperationTest;
import io.acaciafs.namespace.op.block.CommitBlockSynchronization;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.op.file.CompleteFile;
import io.acaciafs.namespace.op.file.Fsync;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

public class RecoverLeaseTest extends OperationTest {
  private static final String OTHER = "client_2";
  private static final List<DatanodeID> NODES =
      List.of(new DatanodeID(DatanodeID.EMPTY_DATANODE_ID));

  /** What a DataNode says when it has recovered a block with its first new stamp. */
  public static void recovered(NamespaceFixture fs, Block block, long lengthBytes)
      throws IOException {
    fs.run(synchronization(block, block.getGenerationStamp() + 1, lengthBytes, false));
  }

  private static CommitBlockSynchronization synchronization(
      Block block, long stamp, long lengthBytes, boolean deletes) {
    return new CommitBlockSynchronization(
        block, stamp, lengthBytes, true, deletes, NODES, List.of("storage"));
  }

  @Test
  void aClosedFileIsClosed() throws IOException {
    fs.file("/f");
    assertThat(fs.run(new RecoverLease("/f", OTHER))).isTrue();
    assertRefused(new RecoverLease("/nothing", OTHER)).isInstanceOf(FileNotFoundException.class);
  }

  @Test
  void aFileWithoutBlocksIsClosedAtOnceThoughItsWriterLives() throws IOException {
    long id = fs.open("/f");
    assertThat(fs.run(new RecoverLease("/f", OTHER))).isTrue();
    assertRefused(new CompleteFile("/f", id, CLIENT, new Block(1, 1, 1)))
        .isInstanceOf(LeaseExpiredException.class);
    assertThat(fs.damage(true)).isEmpty();
  }

  @Test
  void aBlockThatWasNeverWrittenAnywhereIsTakenBack() throws IOException {
    long id = fs.open("/f");
    fs.addBlock("/f", id, null);
    fs.blocks.losePlaces();
    assertThat(fs.run(new RecoverLease("/f", OTHER))).isTrue();
    assertThat(fs.fileAt("/f").blocks()).isEmpty();
  }

  @Test
  void anOpenBlockIsRecovered() throws IOException {
    long id = fs.open("/f");
    Block block = fs.addBlock("/f", id, null);
    assertThat(fs.run(new RecoverLease("/f", OTHER))).isFalse();
    assertThat(fs.fileAt("/f").writer().clientName()).isEqualTo(OTHER);
    assertThat(fs.run(new RecoverLease("/f", OTHER))).isFalse();
    assertRefused(new Fsync("/f", id, CLIENT, 9)).isInstanceOf(LeaseExpiredException.class);

    recovered(fs, block, 50);
    assertThat(fs.run(new RecoverLease("/f", OTHER))).isTrue();
    assertThat(fs.fileAt("/f").lengthBytes()).isEqualTo(50);
    assertThat(fs.fileAt("/f").lastBlock().generationStamp())
        .isEqualTo(block.getGenerationStamp() + 1);
    assertThat(fs.damage(true)).isEmpty();
    recovered(fs, block, 50); // repeated
  }

  @Test
  void onlyTheLastAttemptCounts() throws IOException {
    long id = fs.open("/f");
    Block block = fs.addBlock("/f", id, null);
    fs.run(new RecoverLease("/f", OTHER));
    assertRefused(synchronization(block, block.getGenerationStamp(), 50, false))
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("does not match current recovery id");
    assertRefused(synchronization(new Block(404), 7, 50, false))
        .isExactlyInstanceOf(IOException.class);
    fs.run(synchronization(new Block(404), 7, 0, true)); // long gone
    assertThat(fs.fileAt("/f").isUnderConstruction()).isTrue();
  }

  @Test
  void aBlockThatNoDataNodeHasLeavesTheFile() throws IOException {
    long id = fs.open("/f");
    Block block = fs.addBlock("/f", id, null);
    fs.run(new RecoverLease("/f", OTHER));
    fs.run(synchronization(block, block.getGenerationStamp() + 1, 0, true));
    assertThat(fs.fileAt("/f").blocks()).isEmpty();
    assertThat(fs.fileAt("/f").isUnderConstruction()).isFalse();
  }

  @Test
  void aDeletedFileIsNotClosed() throws IOException {
    fs.mkdir("/d");
    long id = fs.open("/d/f");
    Block block = fs.addBlock("/d/f", id, null);
    fs.run(new RecoverLease("/d/f", OTHER));
    fs.run(new Delete("/d", true));
    assertRefused(synchronization(block, block.getGenerationStamp() + 1, 5, false))
        .isInstanceOf(FileNotFoundException.class);
  }

  @Test
  void blocksBeforeTheLastAreWaitedFor() throws IOException {
    fs.blocks.holdReplicas();
    long id = fs.open("/f");
    Block first = fs.addBlock("/f", id, null);
    Block second = fs.addBlock("/f", id, first);
    assertThat(fs.run(new RecoverLease("/f", OTHER))).isFalse();
    recovered(fs, second, 10);
    assertThat(fs.fileAt("/f").isUnderConstruction()).isTrue();
    assertRefused(new RecoverLease("/f", OTHER)).isInstanceOf(AlreadyBeingCreatedException.class);
    fs.blocks.reportReplicas(fs.store(), first.getBlockId());
    assertThat(fs.run(new RecoverLease("/f", OTHER))).isTrue();
  }

  @Test
  void onlyWhoMayWriteTheFileMayTakeIt() throws IOException {
    fs.mkdir(SUPERUSER, "/open", 0777);
    fs.open(ALICE, "/open/f", 0644);
    assertRefused(BOB, new RecoverLease("/open/f", OTHER))
        .isInstanceOf(AccessControlException.class);
  }
}
