package io.acaciafs.namespace.op.block;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static io.acaciafs.namespace.testkit.NamespaceFixture.CLIENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namespace.context.FileBlocks;
import io.acaciafs.namespace.op.OperationTest;
import io.acaciafs.namespace.op.directory.Rename;
import io.acaciafs.namespace.op.file.Fsync;
import io.acaciafs.namespace.testkit.FakeBlocks;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException;
import org.apache.hadoop.hdfs.server.namenode.NotReplicatedYetException;
import org.junit.jupiter.api.Test;

class AddBlockTest extends OperationTest {
  private static AddBlock addBlock(String path, long id, String client, Block previous) {
    return new AddBlock(path, id, client, previous, FileBlocks.Wishes.NONE);
  }

  @Test
  void blocksFollowEachOther() throws IOException {
    long id = fs.open("/f");
    Block first = fs.addBlock("/f", id, null);
    first.setNumBytes(1024);
    LocatedBlock second = fs.run(addBlock("/f", id, CLIENT, first));
    assertThat(second.getStartOffset()).isEqualTo(1024);
    assertThat(second.getBlock().getBlockId()).isNotEqualTo(first.getBlockId());
    assertThat(fs.fileAt("/f").lengthBytes()).isEqualTo(1024);
    assertThat(FakeBlocks.ids(fs.store()))
        .containsExactly(first.getBlockId(), second.getBlock().getBlockId());
  }

  @Test
  void aRepeatedCallGetsTheSameBlock() throws IOException {
    long id = fs.open("/f");
    Block first = fs.addBlock("/f", id, null);
    assertThat(fs.addBlock("/f", id, null)).isEqualTo(first);
    first.setNumBytes(1024);
    Block second = fs.addBlock("/f", id, first);
    assertThat(fs.addBlock("/f", id, first)).isEqualTo(second);
    assertThat(fs.fileAt("/f").blocks()).hasSize(2);
    fs.run(new Fsync("/f", id, CLIENT, 7));
    assertRefused(addBlock("/f", id, CLIENT, first))
        .hasMessageStartingWith("Request looked like a retry to allocate block")
        .hasMessageEndingWith("but it already contains 7 bytes");
  }

  @Test
  void refusesAPreviousBlockThatIsNone() throws IOException {
    long id = fs.open("/f");
    assertRefused(addBlock("/f", id, CLIENT, new Block(1, 0, 1001)))
        .hasMessageStartingWith(
            "Cannot allocate block in /f: passed 'previous' block BP-1:blk_1_1001");
  }

  @Test
  void knowsTheFileByItsIdWhereverItIs() throws IOException {
    long id = fs.open("/f");
    fs.mkdir("/d");
    fs.run(new Rename("/f", "/d/g"));
    fs.addBlock("/f", id, null);
    assertThat(fs.fileAt("/d/g").blocks()).hasSize(1);
    // clients that know no id depend on the path
    assertRefused(addBlock("/f", 0, CLIENT, null)).isInstanceOf(FileNotFoundException.class);
  }

  @Test
  void isForTheWriterAlone() throws IOException {
    long id = fs.open("/f");
    assertRefused(addBlock("/f", id, "client_2", null))
        .isInstanceOf(LeaseExpiredException.class)
        .hasMessage(
            "Client (=client_2) is not the lease owner (=client_1: /f (inode "
                + id
                + ") Holder client_2 does not have any open files.");
    fs.run(NamespaceFixture.create("/mine", 0644, "client_2", CreateFlag.CREATE));
    assertRefused(addBlock("/f", id, "client_2", null))
        .hasMessageEndingWith(") [Lease.  Holder: client_2, pending creates: 1]");
    // the lease counts, not the user
    fs.run(ALICE, addBlock("/f", id, CLIENT, null));
    long closed = fs.file("/g");
    assertRefused(addBlock("/g", closed, CLIENT, null))
        .isInstanceOf(LeaseExpiredException.class)
        .hasMessageStartingWith("File is not open for writing: /g (inode " + closed + ")");
    fs.mkdir("/d");
    assertRefused(addBlock("/d", 0, CLIENT, null))
        .isInstanceOf(LeaseExpiredException.class)
        .hasMessageStartingWith("INode is not a regular file: /d");
    assertRefused(addBlock("/x", 999, CLIENT, null))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageStartingWith("File does not exist: /x (inode 999)");
  }

  @Test
  void waitsForTheBlockBeforeThePreviousOne() throws IOException {
    fs.blocks.holdReplicas();
    long id = fs.open("/f");
    Block first = fs.addBlock("/f", id, null);
    Block second = fs.addBlock("/f", id, first);
    assertRefused(addBlock("/f", id, CLIENT, second))
        .isInstanceOf(NotReplicatedYetException.class)
        .hasMessage("Not replicated yet: /f");
    fs.blocks.reportReplicas(fs.store(), first.getBlockId());
    fs.addBlock("/f", id, second);
    assertThat(fs.fileAt("/f").blocks()).hasSize(3);
  }

  @Test
  void limitsTheBlocksOfAFile() throws IOException {
    long id = fs.open("/f");
    Block last = null;
    for (int i = 0; i < 4; i++) {
      last = fs.addBlock("/f", id, last);
    }
    assertRefused(addBlock("/f", id, CLIENT, last))
        .hasMessage(
            "File has reached the limit on maximum number of blocks"
                + " (dfs.namenode.fs-limits.max-blocks-per-file): 4 >= 4");
  }

  @Test
  void leavesNothingBehindWhenThereIsNoPlace() throws IOException {
    long id = fs.open("/f");
    fs.blocks.loseDataNodes();
    assertRefused(addBlock("/f", id, CLIENT, null)).hasMessage("There are 0 datanode(s) running");
    assertThat(fs.fileAt("/f").blocks()).isEmpty();
    assertThat(FakeBlocks.ids(fs.store())).isEmpty();
  }

  @Test
  void twoCallsAtOnceGetOneBlock() throws IOException {
    long id = fs.open("/f");
    LocatedBlock got =
        fs.runInterleaved(
            ALICE, addBlock("/f", id, CLIENT, null), addBlock("/f", id, CLIENT, null));
    assertThat(fs.fileAt("/f").blocks()).hasSize(1);
    assertThat(FakeBlocks.ids(fs.store())).containsExactly(got.getBlock().getBlockId());
  }
}
