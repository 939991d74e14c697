package io.acaciafs.namespace.op.attribute;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namespace.op.OperationTest;
import io.acaciafs.namespace.testkit.FakeBlocks;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class SetReplicationTest extends OperationTest {
  @Test
  void reachesTheFileAndItsBlocks() throws IOException {
    Block block = fs.fileWithBlock("/f", 1);
    assertThat(fs.run(new SetReplication("/f", (short) 7))).isTrue();
    assertThat(fs.fileAt("/f").replication()).isEqualTo((short) 7);
    assertThat(FakeBlocks.replicationOf(fs.store(), block.getBlockId())).isEqualTo((short) 7);
  }

  @Test
  void isFalseForWhatIsNoFile() throws IOException {
    fs.mkdir("/d");
    assertThat(fs.run(new SetReplication("/d", (short) 2))).isFalse();
    assertThat(fs.run(new SetReplication("/x", (short) 2))).isFalse();
  }

  @Test
  void refusesWhatIsOutOfBoundsOrNotAllowed() throws IOException {
    fs.file("/f");
    assertRefused(new SetReplication("/f", (short) 0))
        .hasMessage(
            "Requested replication factor of 0 is less than the required minimum of 1 for /f");
    assertRefused(ALICE, new SetReplication("/f", (short) 2))
        .isInstanceOf(AccessControlException.class);
  }
}
