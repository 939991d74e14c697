package io.acaciafs.namespace.op.block;

import static io.acaciafs.namespace.testkit.NamespaceFixture.CLIENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namespace.context.FileBlocks;
import io.acaciafs.namespace.op.OperationTest;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.op.directory.Rename;
import io.acaciafs.namespace.op.policy.SetStoragePolicy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException;
import org.junit.jupiter.api.Test;

class GetAdditionalDatanodeTest extends OperationTest {
  private static final List<DatanodeInfo> EXCLUDED =
      List.of(
          new DatanodeInfoBuilder()
              .setNodeID(new DatanodeID(DatanodeID.EMPTY_DATANODE_ID))
              .build());

  @Test
  void asksForWhatIsMissingAndChangesNothing() throws IOException {
    fs.mkdir("/d");
    fs.run(new SetStoragePolicy("/d", "COLD"));
    long id = fs.open("/d/f");
    Block block = fs.addBlock("/d/f", id, null);
    fs.run(more("/d/f", id, CLIENT, block));

    FileBlocks.NewBlock asked = fs.blocks.additional();
    assertThat(asked.file().replication()).isEqualTo((short) 2);
    assertThat(asked.block().id()).isEqualTo(block.getBlockId());
    assertThat(asked.file().preferredBlockSizeBytes()).isEqualTo(1024);
    assertThat(asked.clientMachine()).isEqualTo("10.0.0.1");
    assertThat(asked.wishes().excludedNodes()).isEqualTo(EXCLUDED);
    assertThat(asked.file().storagePolicyId()).isEqualTo((byte) 2);
    assertThat(fs.fileAt("/d/f").lastBlock().toBlock()).isEqualTo(block);
  }

  @Test
  void theFileIsFoundWhereverItWasRenamedTo() throws IOException {
    long id = fs.open("/f");
    Block block = fs.addBlock("/f", id, null);
    fs.run(new Rename("/f", "/g"));
    fs.run(more("/f", id, CLIENT, block));
    assertThat(fs.blocks.additional().file().path()).isEqualTo("/g");
  }

  @Test
  void onlyTheWriterMayAsk() throws IOException {
    long id = fs.open("/f");
    Block block = fs.addBlock("/f", id, null);
    assertRefused(more("/f", id, "another", block)).isInstanceOf(LeaseExpiredException.class);
    assertRefused(more("/nothing", 404, CLIENT, block)).isInstanceOf(FileNotFoundException.class);
    fs.run(new Delete("/f", false));
    assertRefused(more("/f", id, CLIENT, block)).isInstanceOf(FileNotFoundException.class);
  }

  private static GetAdditionalDatanode more(String path, long id, String client, Block block) {
    var none = new GetAdditionalDatanode.Pipeline(List.of(), List.of());
    return new GetAdditionalDatanode(path, id, client, block, none, EXCLUDED, 2);
  }
}
