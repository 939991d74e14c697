package io.acaciafs.blocks.testkit;

import io.acaciafs.blocks.proto.RepairQueue;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.record.RedundancyCounters;
import io.acaciafs.blocks.testkit.FakeDatanode.Copy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.protocol.DatanodeCommand;
import org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol;

/** What tests of repair have in common. */
public abstract class RepairTestBase extends BlockTestBase {
  public static final Duration DEATH = Duration.ofMinutes(11);
  public static final Duration PENDING = Duration.ofMinutes(6);

  /** Everybody but these nodes falls silent for as long as it takes to be dead. */
  protected void killAllBut(FakeDatanode... survivors) throws IOException {
    clock.advance(DEATH);
    for (FakeDatanode node : survivors) {
      node.heartbeat(false);
    }
    manager.repairNow();
  }

  /** Every copy that the nodes are asked to make now. */
  protected static List<Copy> copies(FakeDatanode... nodes) throws IOException {
    List<Copy> copies = new ArrayList<>();
    for (FakeDatanode node : nodes) {
      copies.addAll(node.toCopy());
    }
    return copies;
  }

  protected static FakeDatanode[] array(List<FakeDatanode> nodes) {
    return nodes.toArray(FakeDatanode[]::new);
  }

  /** The node comes back as a real one: registers, and reports these. */
  protected static void comeBack(FakeDatanode node, Block... blocks) throws IOException {
    node.start();
    node.reportAll(blocks);
  }

  protected static boolean isAskedToRegister(FakeDatanode node) throws IOException {
    return Arrays.stream(node.heartbeat(false).getCommands())
        .map(DatanodeCommand::getAction)
        .anyMatch(action -> action == DatanodeProtocol.DNA_REGISTER);
  }

  protected void setReplication(Block block, int replication) throws Exception {
    run(
        tx -> {
          manager.setReplication(tx, List.of(block), (short) replication);
          return null;
        });
  }

  /** Says that the replicas on these nodes are corrupt. */
  protected void reportBad(Block block, FakeDatanode... nodes) {
    DatanodeInfo[] locations =
        Arrays.stream(nodes)
            .map(
                node ->
                    new DatanodeInfo.DatanodeInfoBuilder().setNodeID(node.registration()).build())
            .toArray(DatanodeInfo[]::new);
    manager
        .reportBadBlocks(
            new LocatedBlock[] {
              new LocatedBlock(new ExtendedBlock(IDENTITY.blockPoolId(), block), locations)
            })
        .join();
  }

  protected RepairQueue queueOf(Block block) {
    return BlockRows.read(store, block.getBlockId()).repairState().queue();
  }

  protected RedundancyCounters counters() {
    return RedundancyCounters.read(store);
  }

  /** As a DataNode does: again until it is answered. */
  protected static void tell(Runnable report) throws Exception {
    insist(
        () -> {
          report.run();
          return null;
        });
  }

  protected static <T> T insist(Callable<T> action) throws Exception {
    for (int attempt = 1; ; attempt++) {
      try {
        return action.call();
      } catch (Exception e) {
        if (attempt == 20) {
          throw e;
        }
      }
    }
  }
}
