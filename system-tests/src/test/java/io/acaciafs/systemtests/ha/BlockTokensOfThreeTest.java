package io.acaciafs.systemtests.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.HaCluster;
import io.acaciafs.systemtests.harness.HaOptions;
import io.acaciafs.systemtests.harness.RawBlockReader;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.apache.hadoop.io.retry.FailoverProxyProvider;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.Test;

/** Three NameNodes by Raft have the same keys of block tokens, whichever leads. */
class BlockTokensOfThreeTest {
  private static final int LENGTH = 1_500_000;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @Test
  void tokensAreGoodAfterAFailover() throws Exception {
    HaOptions options = new HaOptions(2, Map.of("dfs.block.access.token.enable", "true"), false);
    byte[] content = new Content(1, LENGTH).bytes();
    Path file = new Path("/file");
    try (HaCluster cluster = HaCluster.start("tokens-of-three", options);
        DistributedFileSystem fs = cluster.newFileSystem()) {
      FSDataOutputStream out = fs.create(file);
      out.write(content, 0, LENGTH / 2);
      out.hsync();
      LocatedBlock block = RawBlockReader.firstBlock(fs, file);
      assertThat(RawBlockReader.read(block, block.getBlockToken())).contains(Status.SUCCESS);

      // one that stands by signs with the same keys
      Configuration conf = cluster.clientConfiguration();
      conf.setClass(
          "dfs.client.failover.proxy.provider." + conf.get("dfs.nameservices"),
          ObserverReadProxyProvider.class,
          FailoverProxyProvider.class);
      try (DistributedFileSystem reader = (DistributedFileSystem) FileSystem.newInstance(conf)) {
        reader.msync();
        for (int i = 0; i < 4; i++) {
          LocatedBlock observed = RawBlockReader.firstBlock(reader, file);
          assertThat(RawBlockReader.read(observed, observed.getBlockToken()))
              .contains(Status.SUCCESS);
        }
      }

      int first = cluster.awaitLeader();
      cluster.nameNode(first).kill();
      cluster.awaitOtherLeader(first);
      assertThat(RawBlockReader.read(block, block.getBlockToken())).contains(Status.SUCCESS);
      out.write(content, LENGTH / 2, LENGTH - LENGTH / 2);
      out.close();
      assertThat(Content.read(fs, file)).isEqualTo(content);
      cluster.startEnded();
      cluster.awaitFollowers();

      // DataNodes that start now hear the keys from the leader and from those that stand by
      cluster.restartDataNodes();
      Await.until(
          "a DataNode's answer to a new token",
          LIMIT,
          () -> {
            LocatedBlock located = RawBlockReader.firstBlock(fs, file);
            return located.getLocations().length > 0
                && RawBlockReader.read(located, located.getBlockToken())
                    .filter(Status.SUCCESS::equals)
                    .isPresent();
          });
      assertThat(Content.read(fs, file)).isEqualTo(content);
      for (DataNode dataNode : cluster.dataNodes()) {
        Await.until(
            "registration with each of three, which all say the same of tokens",
            LIMIT,
            () -> dataNode.getBPServiceActorInfo().split("RUNNING", -1).length == 1 + 3);
      }
      assertThat(
              RawBlockReader.read(
                  RawBlockReader.firstBlock(fs, file), new Token<BlockTokenIdentifier>()))
          .contains(Status.ERROR_ACCESS_TOKEN);
    }
  }
}
