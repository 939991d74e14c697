package io.acaciafs.namespace.op.file;

import static io.acaciafs.namespace.testkit.NamespaceFixture.CLIENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namespace.lease.Leases;
import io.acaciafs.namespace.op.OperationTest;
import io.acaciafs.namespace.op.directory.Rename;
import io.acaciafs.namespace.op.lease.RecoverLease;
import io.acaciafs.namespace.op.lease.RecoverLeaseTest;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.testkit.FakeBlocks;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.RecoveryInProgressException;
import org.junit.jupiter.api.Test;

class TruncateFileTest extends OperationTest {
  @Test
  void aCutBetweenBlocksIsDoneAtOnce() throws IOException {
    twoBlocks();
    assertThat(truncate(1024)).isTrue();
    assertThat(fs.fileAt("/f").lengthBytes()).isEqualTo(1024);
    assertThat(fs.fileAt("/f").isUnderConstruction()).isFalse();
    assertThat(FakeBlocks.ids(fs.store())).hasSize(1);
    assertThat(truncate(0)).isTrue();
    assertThat(FakeBlocks.ids(fs.store())).isEmpty();
    assertThat(fs.damage(true)).isEmpty();
  }

  @Test
  void aCutThroughABlockWaitsForTheDataNodes() throws IOException {
    Block first = twoBlocks();
    assertThat(truncate(100)).isFalse();
    assertThat(fs.fileAt("/f").lengthBytes()).isEqualTo(1024);
    assertThat(fs.fileAt("/f").isUnderConstruction()).isTrue();
    assertThat(FakeBlocks.ids(fs.store())).containsExactly(first.getBlockId());
    assertThat(truncate(100)).isFalse();
    assertRefused(new TruncateFile("/f", 50, CLIENT))
        .isInstanceOf(AlreadyBeingCreatedException.class)
        .hasMessageContaining("is being truncated");

    RecoverLeaseTest.recovered(fs, first, 100);
    assertThat(fs.fileAt("/f").isUnderConstruction()).isFalse();
    assertThat(truncate(100)).isTrue();
    assertThat(fs.damage(true)).isEmpty();
  }

  @Test
  void aCopyTakesThePlaceOfABlockThatMustStayWhole() throws IOException {
    Block first = twoBlocks();
    fs.blocks.copyOnTruncate(true);
    assertThat(truncate(100)).isFalse();
    assertThat(fs.fileAt("/f").lastBlock().id()).isEqualTo(first.getBlockId());
    assertThat(fs.fileAt("/f").isUnderConstruction()).isTrue();
    assertThat(truncate(100)).as("again").isFalse();
    assertThat(fs.run(new RecoverLease("/f", CLIENT))).isFalse();
    assertThat(fs.damage(true)).isEmpty();

    RecoverLeaseTest.recovered(fs, first, 100);
    FileInode cut = fs.fileAt("/f");
    assertThat(cut.isUnderConstruction()).isFalse();
    assertThat(cut.lengthBytes()).isEqualTo(100);
    assertThat(cut.lastBlock().id()).isNotEqualTo(first.getBlockId());
    assertThat(FakeBlocks.ids(fs.store())).containsExactly(cut.lastBlock().id());
    assertThat(truncate(100)).isTrue();
    assertThat(fs.damage(true)).isEmpty();
  }

  @Test
  void aFileThatIsRenamedMeanwhileGetsItsCopy() throws IOException {
    Block first = twoBlocks();
    fs.blocks.copyOnTruncate(true);
    truncate(100);
    fs.run(new Rename("/f", "/g"));
    RecoverLeaseTest.recovered(fs, first, 100);
    assertThat(fs.fileAt("/g").lengthBytes()).isEqualTo(100);
    assertThat(fs.fileAt("/g").isUnderConstruction()).isFalse();
    assertThat(fs.damage(true)).isEmpty();
  }

  @Test
  void theSameLengthChangesNothing() throws IOException {
    twoBlocks();
    assertThat(truncate(1524)).isTrue();
    assertThat(fs.fileAt("/f").blocks()).hasSize(2);
  }

  @Test
  void impossibleLengthsAreRefused() throws IOException {
    twoBlocks();
    assertRefused(new TruncateFile("/f", 2000, CLIENT))
        .isInstanceOf(HadoopIllegalArgumentException.class)
        .hasMessageContaining("larger file size");
    assertRefused(new TruncateFile("/f", -1, CLIENT))
        .isInstanceOf(HadoopIllegalArgumentException.class);
    assertRefused(new TruncateFile("/nothing", 0, CLIENT))
        .isInstanceOf(FileNotFoundException.class);
    assertThat(fs.fileAt("/f").lengthBytes()).isEqualTo(1524);
  }

  @Test
  void aFileThatIsWrittenIsRefusedUntilItsWriterIsSilent() throws IOException {
    long id = fs.open("/f");
    assertRefused(new TruncateFile("/f", 0, "client_2"))
        .isInstanceOf(AlreadyBeingCreatedException.class);
    fs.clock.advanceMs(Leases.SOFT_LIMIT_MS + 1);
    assertThat(fs.run(new TruncateFile("/f", 0, "client_2"))).isTrue();
    assertThat(fs.fileAt("/f").isUnderConstruction()).isFalse();

    id = fs.open("/g");
    fs.addBlock("/g", id, null);
    fs.clock.advanceMs(Leases.SOFT_LIMIT_MS + 1);
    assertRefused(new TruncateFile("/g", 0, "client_2"))
        .isInstanceOf(RecoveryInProgressException.class);
  }

  private boolean truncate(long length) throws IOException {
    return fs.run(new TruncateFile("/f", length, CLIENT));
  }

  /** A full one and one of 500 bytes. */
  private Block twoBlocks() throws IOException {
    long id = fs.open("/f");
    Block first = fs.addBlock("/f", id, null);
    first.setNumBytes(1024);
    Block second = fs.addBlock("/f", id, first);
    second.setNumBytes(500);
    fs.run(new CompleteFile("/f", id, CLIENT, second));
    return first;
  }
}
