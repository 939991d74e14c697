package io.acaciafs.blocks.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.testkit.BlockTestBase;
import io.acaciafs.blocks.testkit.Company;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.protocol.DatanodeCommand;
import org.apache.hadoop.hdfs.server.protocol.RegisterCommand;
import org.junit.jupiter.api.Test;

/** A stranger registers DataNodes with ids that it makes up, which must not stay for ever. */
class InventedDatanodesTest extends BlockTestBase {
  private static final int MANY = KnownDatanodes.MOST_WITHOUT_STORAGES + 500;

  private int count(KeyRange range) {
    int count = 0;
    try (Scan scan = store.scan(range)) {
      for (; scan.hasNext(); scan.next()) {
        count++;
      }
    }
    return count;
  }

  private FakeDatanode invented(int i) {
    FakeDatanode invented = node("invented-" + i, "10.0.9.9");
    invented.xferPort = 10_000 + i;
    return invented;
  }

  private void register(FakeDatanode datanode) {
    manager.register(datanode.registration(), datanode.ip()).join();
  }

  private List<String> listed() {
    return Arrays.stream(manager.datanodeReport(DatanodeReportType.ALL))
        .map(node -> node.getDatanodeUuid())
        .toList();
  }

  private static boolean isToldToRegister(FakeDatanode datanode) throws IOException {
    DatanodeCommand[] commands = datanode.heartbeat(false).getCommands();
    return Arrays.asList(commands).contains(RegisterCommand.REGISTER);
  }

  @Test
  void onlyTheLatestOfManyStay() throws Exception {
    FakeDatanode real = node("real", "10.0.1.1").start();
    Block block = write(1, real);
    for (int i = 0; i < MANY; i++) {
      register(invented(i));
      clock.advance(Duration.ofMillis(1));
    }
    assertThat(listed())
        .hasSize(KnownDatanodes.MOST_WITHOUT_STORAGES + 1)
        .contains("uuid-real", "uuid-invented-" + (MANY - 1))
        .doesNotContain("uuid-invented-0");
    assertThat(count(BlockKeys.datanodes())).isEqualTo(KnownDatanodes.MOST_WITHOUT_STORAGES + 1);
    assertThat(places(block)).containsExactly("uuid-real");

    restart(real);
    assertThat(count(BlockKeys.datanodes())).isEqualTo(1);
    real.heartbeat(false);
    assertThat(places(block)).containsExactly("uuid-real");
  }

  @Test
  void oneThatIsForgottenRegistersAgain() throws Exception {
    FakeDatanode slow = node("slow", "10.0.1.1");
    register(slow);
    for (int i = 0; i < MANY; i++) {
      clock.advance(Duration.ofMillis(1));
      register(invented(i));
    }
    assertThat(isToldToRegister(slow)).isTrue();
    slow.start();
    assertThat(isToldToRegister(slow)).isFalse();
    assertThat(places(write(1, slow))).containsExactly("uuid-slow");
  }

  @Test
  void ofManyAtOneAddressOneStays() {
    for (int i = 0; i < 20; i++) {
      register(node("invented-" + i, "10.0.9.9"));
    }
    assertThat(count(BlockKeys.datanodes())).isEqualTo(1);
    assertThat(listed()).containsExactly("uuid-invented-19");
  }

  @Test
  void itsHeartbeatLeavesNothingAtAnotherNameNode() throws Exception {
    manager.close();
    Company company = new Company(store, conf, clock, executor);
    Company.NameNode first = company.start();
    Company.NameNode second = company.start();
    FakeDatanode slow = node("slow", "10.0.1.1");
    first.manager.register(slow.registration(), slow.ip()).join();
    second.manager.exchangeNow();
    for (int i = 0; i < MANY; i++) {
      clock.advance(Duration.ofMillis(1));
      FakeDatanode invented = invented(i);
      first.manager.register(invented.registration(), invented.ip()).join();
    }
    slow.talkTo(second.manager);
    slow.heartbeat(false);
    assertThat(count(BlockKeys.storages())).isZero();
    assertThat(isToldToRegister(slow)).isTrue();
  }
}
