package io.acaciafs.namespace.op.file;

import static io.acaciafs.namespace.testkit.NamespaceFixture.CLIENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namespace.op.OperationTest;
import io.acaciafs.namespace.op.block.AbandonBlock;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException;
import org.junit.jupiter.api.Test;

class CompleteFileTest extends OperationTest {
  @Test
  void closesAndSetsTheTime() throws IOException {
    long id = fs.open("/f");
    Block block = fs.addBlock("/f", id, null);
    block.setNumBytes(100);
    final long openedMs = fs.clock.millis();
    fs.clock.advanceMs(11);
    assertThat(fs.run(new CompleteFile("/f", id, CLIENT, block))).isTrue();
    FileInode file = fs.fileAt("/f");
    assertThat(file.isUnderConstruction()).isFalse();
    assertThat(file.lengthBytes()).isEqualTo(100);
    assertThat(file.attributes().modificationTimeMs()).isEqualTo(openedMs + 11);
    assertThat(file.attributes().accessTimeMs()).isEqualTo(openedMs);
    assertThat(fs.rows(NamespaceKeys.OPEN_FILES)).isZero();
  }

  @Test
  void aRepeatedCallSucceedsToo() throws IOException {
    long id = fs.open("/f");
    Block block = fs.addBlock("/f", id, null);
    assertThat(fs.run(new CompleteFile("/f", id, CLIENT, block))).isTrue();
    assertThat(fs.run(new CompleteFile("/f", id, CLIENT, block))).isTrue();
    assertRefused(new CompleteFile("/f", id, CLIENT, null))
        .isInstanceOf(LeaseExpiredException.class)
        .hasMessageStartingWith("File is not open for writing: /f");
  }

  @Test
  void isFalseUntilTheLastBlockHasReplicasAndKeepsTheLength() throws IOException {
    fs.blocks.holdReplicas();
    long id = fs.open("/f");
    Block block = fs.addBlock("/f", id, null);
    block.setNumBytes(100);
    assertThat(fs.run(new CompleteFile("/f", id, CLIENT, block))).isFalse();
    assertThat(fs.fileAt("/f").isUnderConstruction()).isTrue();
    assertThat(fs.fileAt("/f").lengthBytes()).isEqualTo(100);
    fs.blocks.reportReplicas(fs.store(), block.getBlockId());
    assertThat(fs.run(new CompleteFile("/f", id, CLIENT, block))).isTrue();
  }

  @Test
  void isFalseUntilTheBlockBeforeHasReplicas() throws IOException {
    fs.blocks.holdReplicas();
    long id = fs.open("/f");
    Block first = fs.addBlock("/f", id, null);
    Block second = fs.addBlock("/f", id, first);
    fs.blocks.reportReplicas(fs.store(), second.getBlockId());
    assertThat(fs.run(new CompleteFile("/f", id, CLIENT, second))).isFalse();
    fs.blocks.reportReplicas(fs.store(), first.getBlockId());
    assertThat(fs.run(new CompleteFile("/f", id, CLIENT, second))).isTrue();
  }

  @Test
  void aBlockThatWasAbandonedIsNotMissed() throws IOException {
    long id = fs.open("/f");
    Block first = fs.addBlock("/f", id, null);
    first.setNumBytes(100);
    Block second = fs.addBlock("/f", id, first);
    fs.run(new AbandonBlock("/f", id, CLIENT, second.getBlockId()));

    assertThat(fs.run(new CompleteFile("/f", id, CLIENT, second))).isTrue();
    assertThat(fs.fileAt("/f").isUnderConstruction()).isFalse();
    assertThat(fs.fileAt("/f").lengthBytes()).isEqualTo(100);
  }

  @Test
  void anotherBlockThanTheOneBeingWrittenIsRefused() throws IOException {
    long id = fs.open("/f");
    Block block = fs.addBlock("/f", id, null);

    assertRefused(new CompleteFile("/f", id, CLIENT, new Block(block.getBlockId(), 100, 1)))
        .hasMessageStartingWith("Commit block with mismatching GS. NN has " + block);
    long otherId = block.getBlockId() + 1;
    assertRefused(
            new CompleteFile("/f", id, CLIENT, new Block(otherId, 100, block.getGenerationStamp())))
        .hasMessage(
            "Trying to commit inconsistent block: id = "
                + otherId
                + ", expected id = "
                + block.getBlockId());
    assertThat(fs.fileAt("/f").isUnderConstruction()).isTrue();
  }

  @Test
  void isForTheWriterOfAFileThatIsThere() throws IOException {
    long id = fs.open("/f");
    assertRefused(new CompleteFile("/f", id, "client_2", null))
        .isInstanceOf(LeaseExpiredException.class);
    fs.run(new Delete("/f", false));
    assertRefused(new CompleteFile("/f", id, CLIENT, null))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageStartingWith("File does not exist: /f");
  }

  @Test
  void anotherFileOfTheSameNameIsNotMistakenForIt() throws IOException {
    long id = fs.open("/f");
    fs.run(new Delete("/f", false));
    fs.open("/f");
    assertRefused(new CompleteFile("/f", id, CLIENT, null))
        .isInstanceOf(FileNotFoundException.class);
    assertThat(fs.fileAt("/f").isUnderConstruction()).isTrue();
  }
}
