package io.acaciafs.namenode.ha;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.rpc.RpcServer;
import io.acaciafs.rpc.options.RpcServerOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReceivedAndDeletedRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolClientSideTranslatorPB;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.NodeType;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.StorageReceivedDeletedBlocks;
import org.apache.hadoop.util.Time;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a DataNode is answered by a NameNode that stands by, and is about to lead. */
@Timeout(60)
class StandbyProtocolsTest {
  private static final ClusterIdentity IDENTITY =
      new ClusterIdentity(77, "CID-test", "BP-1-10.0.0.1-1", 0);
  private static final DatanodeRegistration NODE =
      new DatanodeRegistration(
          new DatanodeID("127.0.0.1", "127.0.0.1", "uuid-1", 9866, 9864, 9865, 9867),
          new StorageInfo(-57, 77, "CID-test", 0, NodeType.DATA_NODE),
          new ExportedBlockKeys(),
          "3.5.0");

  private final HeardDatanodes heard = new HeardDatanodes(() -> 0, () -> true, Long.MAX_VALUE);
  private final List<String> told = new ArrayList<>();

  private final HeardDatanodes.Listener listener =
      new HeardDatanodes.Listener() {
        @Override
        public void registration(HeardDatanodes.Registration registration) {
          told.add("registration");
        }

        @Override
        public void heartbeat(HeartbeatRequestProto heartbeat) {
          told.add("heartbeat");
        }

        @Override
        public CompletableFuture<?> report(BlockReceivedAndDeletedRequestProto report) {
          told.add("report");
          return CompletableFuture.completedFuture(null);
        }
      };

  private static final class NoLeader implements Forwarder.Leader {
    @Override
    public Forwarder.@Nullable Elsewhere elsewhere() {
      return null;
    }

    @Override
    public boolean isHere() {
      return false;
    }
  }

  private static void report(DatanodeProtocolClientSideTranslatorPB datanode) throws Exception {
    datanode.blockReceivedAndDeleted(
        NODE, IDENTITY.blockPoolId(), new StorageReceivedDeletedBlocks[0]);
  }

  @Test
  void whatNobodyWouldTakeIsNotAcknowledged() throws Exception {
    Configuration conf = new Configuration();
    try (Forwarder forwarder =
            new Forwarder(conf, UnaryOperator.identity(), new NoLeader(), Time::monotonicNow);
        RpcServer server =
            RpcServer.start(
                RpcServerOptions.builder().build(),
                new StandbyProtocols(
                        IDENTITY, heard, false, List.of(), forwarder, call -> null, () -> null)
                    .all());
        DatanodeProtocolClientSideTranslatorPB datanode =
            new DatanodeProtocolClientSideTranslatorPB(server.address(), conf)) {
      datanode.registerDatanode(NODE);
      report(datanode);
      heard.takeOver(listener);
      assertThat(told).containsExactly("registration", "report");

      assertThatThrownBy(() -> report(datanode)).hasStackTraceContaining("changes its role");
      assertThatThrownBy(() -> datanode.registerDatanode(NODE))
          .hasStackTraceContaining("RetriableException");

      heard.standBy();
      datanode.registerDatanode(NODE);
      report(datanode);
    }
  }
}
