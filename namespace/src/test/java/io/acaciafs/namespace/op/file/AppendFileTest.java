package io.acaciafs.namespace.op.file;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static io.acaciafs.namespace.testkit.NamespaceFixture.BOB;
import static io.acaciafs.namespace.testkit.NamespaceFixture.CLIENT;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static io.acaciafs.namespace.testkit.NamespaceFixture.create;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namespace.lease.Leases;
import io.acaciafs.namespace.op.OperationTest;
import io.acaciafs.namespace.op.lease.RecoverLeaseTest;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.RecoveryInProgressException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class AppendFileTest extends OperationTest {
  private static final String OTHER = "client_2";

  @Test
  void aPartOfABlockIsWrittenOn() throws IOException {
    Block block = fs.fileWithBlock("/f", 100);
    AppendFile.Appended appended = fs.run(new AppendFile("/f", OTHER, false));
    assertThat(appended.reopened().getBlock().getBlockId()).isEqualTo(block.getBlockId());
    assertThat(appended.previous()).isNull();
    assertThat(fs.fileAt("/f").writer().clientName()).isEqualTo(OTHER);

    block.setNumBytes(150);
    assertThat(fs.run(new CompleteFile("/f", 0, OTHER, block))).isTrue();
    assertThat(fs.fileAt("/f").lengthBytes()).isEqualTo(150);
    assertThat(fs.damage(true)).isEmpty();
  }

  @Test
  void aFullBlockStaysAsItIs() throws IOException {
    fs.fileWithBlock("/f", 1024);
    AppendFile.Appended appended = fs.run(new AppendFile("/f", CLIENT, false));
    assertThat(appended.reopened()).isNull();
    assertThat(appended.previous()).isNull();
    fs.addBlock("/f", 0, null);
    assertThat(fs.fileAt("/f").blocks()).hasSize(2);
  }

  @Test
  void newBlockLeavesAPartOfABlockBehind() throws IOException {
    Block block = fs.fileWithBlock("/f", 100);
    AppendFile.Appended appended = fs.run(new AppendFile("/f", CLIENT, true));
    assertThat(appended.reopened()).isNull();
    assertThat(appended.previous().id()).isEqualTo(block.getBlockId());
    fs.addBlock("/f", 0, block);
    assertThat(fs.fileAt("/f").blocks()).hasSize(2);
  }

  @Test
  void whatCannotBeAppendedToIsRefused() throws IOException {
    fs.mkdir("/d");
    assertRefused(new AppendFile("/d", CLIENT, false))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertRefused(new AppendFile("/nothing", CLIENT, false))
        .isInstanceOf(FileNotFoundException.class);
    fs.mkdir(SUPERUSER, "/open", 0777);
    fs.file(ALICE, "/open/f", 0644);
    assertRefused(BOB, new AppendFile("/open/f", CLIENT, false))
        .isInstanceOf(AccessControlException.class);
  }

  /** Nobody could write on it, and it would stay open. */
  @Test
  void aFileWhoseReplicasAreAllOnDeadDataNodesIsRefused() throws IOException {
    fs.fileWithBlock("/f", 100);
    fs.blocks.loseDataNodes();
    for (boolean newBlock : new boolean[] {false, true}) {
      assertRefused(new AppendFile("/f", CLIENT, newBlock))
          .isExactlyInstanceOf(IOException.class)
          .hasMessageContaining("is not sufficiently replicated yet");
    }
    assertThat(fs.fileAt("/f").isUnderConstruction()).isFalse();
  }

  @Test
  void aFileKeptInMemoryIsRefused() throws IOException {
    long id =
        fs.run(create("/f", 0644, CLIENT, CreateFlag.CREATE, CreateFlag.LAZY_PERSIST)).inode().id();
    fs.run(new CompleteFile("/f", id, CLIENT, null));
    assertRefused(new AppendFile("/f", CLIENT, false))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage("Cannot append to lazy persist file /f");
    assertRefused(new TruncateFile("/f", 10, CLIENT))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage("Cannot truncate lazy persist file /f");
  }

  @Test
  void aFileThatIsWrittenIsRefused() throws IOException {
    fs.open("/f");
    assertRefused(new AppendFile("/f", OTHER, false))
        .isInstanceOf(AlreadyBeingCreatedException.class)
        .hasMessageContaining("currently owned by " + CLIENT);
    assertRefused(new AppendFile("/f", CLIENT, false))
        .isInstanceOf(AlreadyBeingCreatedException.class)
        .hasMessageContaining("already the current lease holder");
  }

  @Test
  void aSilentWriterLosesAFileThatIsWhole() throws IOException {
    fs.open("/f");
    fs.clock.advanceMs(Leases.SOFT_LIMIT_MS + 1);
    fs.run(new AppendFile("/f", OTHER, false));
    assertThat(fs.fileAt("/f").writer().clientName()).isEqualTo(OTHER);
    assertThat(fs.damage(true)).isEmpty();
  }

  @Test
  void aSilentWritersBlockIsRecoveredFirst() throws IOException {
    long id = fs.open("/f");
    Block block = fs.addBlock("/f", id, null);
    fs.clock.advanceMs(Leases.SOFT_LIMIT_MS + 1);
    assertRefused(new AppendFile("/f", OTHER, false))
        .isInstanceOf(RecoveryInProgressException.class)
        .hasMessageContaining("Try again later");
    assertRefused(new AppendFile("/f", "client_3", false))
        .isInstanceOf(RecoveryInProgressException.class)
        .hasMessageContaining("another recovery is in progress");
    RecoverLeaseTest.recovered(fs, block, 50);
    fs.run(new AppendFile("/f", OTHER, false));
    assertThat(fs.fileAt("/f").lengthBytes()).isEqualTo(50);
  }
}
