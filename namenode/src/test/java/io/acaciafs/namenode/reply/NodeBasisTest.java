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
import io.acaciafs.rpc.protocol.RpcCall;
import java.lang.reflect.Proxy;
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
    return hasTokens
        ? signed(blocks, null)
        : limited(new BlockLocations(blocks, RoutedClients.NONE).basis(call(null)));
  }

  private static CacheableReply signed(BlockManager blocks, String qop) {
    return limited(new BlockLocations(blocks, RoutedClients.NONE).basisOfSigned(call(qop)));
  }

  private static CacheableReply limited(NodeBasis basis) {
    return basis.limit(
        new CacheableReply(GetBlockLocationsResponseProto.getDefaultInstance(), call -> true));
  }

  /** A call of which nothing is known but how its connection is protected. */
  private static RpcCall call(String qop) {
    return (RpcCall)
        Proxy.newProxyInstance(
            RpcCall.class.getClassLoader(),
            new Class<?>[] {RpcCall.class},
            (proxy, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("auxiliaryPortQop");
              return qop;
            });
  }

  private static boolean isValid(CacheableReply reply) {
    return isValid(reply, null);
  }

  private static boolean isValid(CacheableReply reply, String qop) {
    return reply.isValid().test(call(qop));
  }

  @Test
  void oneWithTokensIsForTheProtectionThatTheyTell() {
    conf.setBoolean("dfs.block.access.token.enable", true);
    try (BlockManager blocks = newBlocks()) {
      CacheableReply reply = signed(blocks, "auth-conf");
      assertThat(isValid(reply, "auth-conf")).isTrue();
      assertThat(isValid(reply, "auth")).isFalse();
      assertThat(isValid(reply)).isFalse();
      assertThat(isValid(signed(blocks, null), "auth-conf")).isFalse();
      assertThat(isValid(reply(blocks, false), "auth-conf")).isTrue();
    }
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
