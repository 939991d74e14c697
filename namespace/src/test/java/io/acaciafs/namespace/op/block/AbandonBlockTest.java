package io.acaciafs.namespace.op.block;

import static io.acaciafs.namespace.testkit.NamespaceFixture.CLIENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namespace.op.OperationTest;
import io.acaciafs.namespace.op.file.CompleteFile;
import io.acaciafs.namespace.testkit.FakeBlocks;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException;
import org.junit.jupiter.api.Test;

class AbandonBlockTest extends OperationTest {
  @Test
  void takesBackTheLastBlockOnce() throws IOException {
    long id = fs.open("/f");
    Block first = fs.addBlock("/f", id, null);
    first.setNumBytes(1024);
    Block second = fs.addBlock("/f", id, first);
    fs.run(new AbandonBlock("/f", id, CLIENT, second.getBlockId()));
    fs.run(new AbandonBlock("/f", id, CLIENT, second.getBlockId()));
    assertThat(fs.fileAt("/f").blocks()).hasSize(1);
    assertThat(FakeBlocks.ids(fs.store())).containsExactly(first.getBlockId());
    Block third = fs.addBlock("/f", id, first);
    assertThat(third.getBlockId()).isNotEqualTo(second.getBlockId());
    assertThat(fs.run(new CompleteFile("/f", id, CLIENT, third))).isTrue();
  }

  @Test
  void leavesABlockThatIsNotTheLast() throws IOException {
    long id = fs.open("/f");
    Block first = fs.addBlock("/f", id, null);
    fs.addBlock("/f", id, first);
    fs.run(new AbandonBlock("/f", id, CLIENT, first.getBlockId()));
    assertThat(fs.fileAt("/f").blocks()).hasSize(2);
  }

  @Test
  void isForTheWriterAlone() throws IOException {
    long id = fs.open("/f");
    Block block = fs.addBlock("/f", id, null);
    assertRefused(new AbandonBlock("/f", id, "client_2", block.getBlockId()))
        .isInstanceOf(LeaseExpiredException.class);
  }
}
