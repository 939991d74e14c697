package io.acaciafs.namenode.reply;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.blocks.datanode.NameNodes;
import io.acaciafs.blocks.placement.FilePolicies;
import io.acaciafs.blocks.settings.BlockContext;
import io.acaciafs.kv.memory.Faults;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.rpc.protocol.CacheableReply;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsResponseProto;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How long a reply with block tokens may be given again. */
class NodeBasisTest {
  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
  private final InstantSource wallTime = now::get;
  private final Configuration conf = new Configuration(false);
  private final MemoryStore store = new MemoryStore(Faults.none());
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "basis-test"));

  @AfterEach
  void close() {
    store.close();
    executor.shutdownNow();
  }

  private BlockManager newBlocks() {
    conf.setLong("dfs.block.access.key.update.interval", 10);
    conf.setLong("dfs.block.access.token.lifetime", 1);
    conf.setInt("dfs.heartbeat.interval", 60);
    ClusterIdentity identity = new ClusterIdentity(77, "CID-test", "BP-1-127.0.0.1-1", 0);
    return new BlockManager(
        identity,
        new BlockContext(
            new TransactionRunner(store, executor, new Random(1)),
            identity.blockPoolId(),
            conf,
            Clock.systemUTC(),
            wallTime.withZone(ZoneOffset.UTC),
            new Random(2),
            executor),
        FilePolicies.NONE,
        NameNodes.alone());
  }

  private static CacheableReply reply(BlockManager blocks, boolean hasTokens) {
    CacheableReply reply =
        new CacheableReply(GetBlockLocationsResponseProto.getDefaultInstance(), call -> true);
    return new BlockLocations(blocks).basis(hasTokens).limit(reply);
  }

  private static boolean isValid(CacheableReply reply) {
    return reply.isValid().test(null);
  }

  @Test
  void oneWithTokensEndsWithTheirKey() {
    conf.setBoolean("dfs.block.access.token.enable", true);
    try (BlockManager blocks = newBlocks()) {
      CacheableReply signed = reply(blocks, true);
      CacheableReply listing = reply(blocks, false);
      assertThat(isValid(signed)).isTrue();
      assertThat(signed.maxAgeNanos()).isEqualTo(Duration.ofSeconds(6).toNanos());
      assertThat(listing.maxAgeNanos()).isGreaterThan(Duration.ofSeconds(6).toNanos());

      now.set(now.get().plus(Duration.ofMinutes(11)));
      blocks.tokens().look();
      assertThat(isValid(signed)).isFalse();
      assertThat(isValid(listing)).isTrue();
      assertThat(isValid(reply(blocks, true))).isTrue();
    }
  }

  @Test
  void withoutTokensNothingEnds() {
    try (BlockManager blocks = newBlocks()) {
      CacheableReply reply = reply(blocks, true);
      assertThat(reply.maxAgeNanos()).isGreaterThan(Duration.ofSeconds(6).toNanos());
      now.set(now.get().plus(Duration.ofMinutes(11)));
      blocks.tokens().look();
      assertThat(isValid(reply)).isTrue();
    }
  }
}
