package io.acaciafs.blocks.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.blocks.settings.BlockContext;
import io.acaciafs.blocks.testkit.TestClock;
import io.acaciafs.kv.UnavailableException;
import io.acaciafs.kv.memory.Faults;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.run.TransactionRunner;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.InvalidEncryptionKeyException;
import org.apache.hadoop.hdfs.security.token.block.BlockKey;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.security.token.block.DataEncryptionKey;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens and keys as Hadoop's own DataNodes take them, while NameNodes come, go and roll keys. */
class BlockTokensTest {
  private static final String POOL = "BP-1-127.0.0.1-1";
  private static final Duration UPDATE = Duration.ofMinutes(10);
  private static final Duration LIFETIME = Duration.ofMinutes(30);
  private static final ExtendedBlock BLOCK = new ExtendedBlock(POOL, 1073741825L, 100, 1001);
  private static final StorageType[] TYPES = {StorageType.DISK, StorageType.SSD};
  private static final String[] IDS = {"DS-1", "DS-2"};

  private final TestClock clock = new TestClock();
  private final Configuration conf = new Configuration(false);
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "tokens-test"));
  private MemoryStore store = new MemoryStore(Faults.none());

  @BeforeEach
  void open() {
    clock.advance(Duration.ofMillis(System.currentTimeMillis() - clock.millis()));
    conf.setBoolean("dfs.block.access.token.enable", true);
    conf.setLong("dfs.block.access.key.update.interval", UPDATE.toMinutes());
    conf.setLong("dfs.block.access.token.lifetime", LIFETIME.toMinutes());
  }

  @AfterEach
  void close() {
    store.close();
    executor.shutdownNow();
  }

  private BlockTokens nameNode() {
    return nameNode(BlockTokens.Keys.OWNS);
  }

  private BlockTokens nameNode(BlockTokens.Keys use) {
    return new BlockTokens(
        new BlockContext(
            new TransactionRunner(store, executor, new Random(1)),
            POOL,
            conf,
            new TestClock(),
            clock,
            new Random(2),
            executor),
        use);
  }

  private static LocatedBlock located() {
    DatanodeInfoWithStorage[] places = new DatanodeInfoWithStorage[IDS.length];
    for (int i = 0; i < IDS.length; i++) {
      DatanodeID id = new DatanodeID("127.0.0." + i, "host" + i, "uuid" + i, 1, 2, 3, 4);
      places[i] =
          new DatanodeInfoWithStorage(
              new DatanodeInfo.DatanodeInfoBuilder().setNodeID(id).build(), IDS[i], TYPES[i]);
    }
    return new LocatedBlock(
        new ExtendedBlock(BLOCK), places, IDS, TYPES, 0, false, DatanodeInfo.EMPTY_ARRAY);
  }

  private static Token<BlockTokenIdentifier> token(BlockTokens tokens, AccessMode mode) {
    return tokens.sign(located(), mode, new TokenUser("alice", null)).getBlockToken();
  }

  private static BlockTokenIdentifier identifier(Token<BlockTokenIdentifier> token)
      throws IOException {
    BlockTokenIdentifier identifier = new BlockTokenIdentifier();
    identifier.readFields(
        new DataInputStream(new ByteArrayInputStream(token.getIdentifier().clone())));
    return identifier;
  }

  /** Hadoop's own class, as DataNodes use it. */
  private static BlockTokenSecretManager dataNode(ExportedBlockKeys... keys) throws IOException {
    BlockTokenSecretManager manager =
        new BlockTokenSecretManager(0, LIFETIME.toMillis(), POOL, null, false);
    for (ExportedBlockKeys told : keys) {
      manager.addKeys(told);
    }
    return manager;
  }

  private static void check(
      BlockTokenSecretManager dataNode, Token<BlockTokenIdentifier> token, AccessMode mode)
      throws InvalidToken {
    dataNode.checkAccess(
        token, "alice", BLOCK, mode, new StorageType[] {StorageType.SSD}, new String[] {"DS-2"});
  }

  @Test
  void keysThatSignFromAFutureTimeAreReplaced() {
    Duration ahead = UPDATE.plusMillis(1);
    clock.advance(ahead); // as one whose clock is wrong has it
    int future = nameNode().exportedKeys().getCurrentKey().getKeyId();
    clock.advance(ahead.negated());
    BlockTokens tokens = nameNode();
    tokens.look();
    int current = tokens.exportedKeys().getCurrentKey().getKeyId();
    assertThat(current).isNotEqualTo(future);
    tokens.look();
    assertThat(tokens.exportedKeys().getCurrentKey().getKeyId()).as("once").isEqualTo(current);
  }

  /** A DataNode that starts then has them from the NameNode alone. */
  @Test
  void aNameNodeWhoseClockIsFarAheadRemovesNoKeyWithValidTokens() throws IOException {
    BlockTokens tokens = nameNode();
    Token<BlockTokenIdentifier> token = token(tokens, AccessMode.READ);
    for (int roll = 0; roll < 2; roll++) {
      clock.advance(UPDATE.plusMillis(1));
      tokens.look();
    }
    Duration ahead = Duration.ofDays(30);
    clock.advance(ahead);
    nameNode().look();
    clock.advance(ahead.negated());
    BlockTokens right = nameNode();
    right.look();
    check(dataNode(right.exportedKeys()), token, AccessMode.READ);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDataNodeTakesThem(boolean isProtobuf) throws IOException {
    conf.setBoolean("dfs.block.access.token.protobuf.enable", isProtobuf);
    BlockTokens tokens = nameNode();
    BlockTokenSecretManager dataNode = dataNode(tokens.exportedKeys());
    for (AccessMode mode : AccessMode.values()) {
      Token<BlockTokenIdentifier> token = token(tokens, mode);
      check(dataNode, token, mode);
      assertThat(token.getKind()).hasToString("HDFS_BLOCK_TOKEN");
      assertThat(token.getService().getLength()).isZero();
      assertThat(token.getIdentifier()[0] > 0).isEqualTo(isProtobuf);
      assertThat(identifier(token))
          .hasToString(
              "block_token_identifier (expiryDate="
                  + (clock.millis() + LIFETIME.toMillis())
                  + ", keyId="
                  + tokens.exportedKeys().getCurrentKey().getKeyId()
                  + ", userId=alice, blockPoolId=BP-1-127.0.0.1-1, blockId=1073741825, access"
                  + " modes=["
                  + mode
                  + "], storageTypes= [DISK, SSD], storageIds= [DS-1, DS-2])");
    }
  }

  /** The same bytes as those of Hadoop's own class with the same key at the same time. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void areWhatHadoopWouldMake(boolean isProtobuf) throws IOException {
    conf.setBoolean("dfs.block.access.token.protobuf.enable", isProtobuf);
    BlockTokens tokens = nameNode();
    BlockTokenSecretManager hadoop =
        new BlockTokenSecretManager(0, LIFETIME.toMillis(), POOL, null, isProtobuf);
    hadoop.addKeys(tokens.exportedKeys());
    BlockTokenIdentifier ours = identifier(token(tokens, AccessMode.WRITE));
    BlockTokenIdentifier theirs =
        identifier(hadoop.generateToken("alice", BLOCK, EnumSet.of(AccessMode.WRITE), TYPES, IDS));
    theirs.setExpiryDate(ours.getExpiryDate());
    assertThat(theirs.getBytes()).isEqualTo(ours.getBytes());
    assertThat(hadoop.retrievePassword(ours))
        .isEqualTo(token(tokens, AccessMode.WRITE).getPassword());
  }

  /** By another algorithm and longer keys, in a thread that has made no password yet. */
  @Test
  void areSignedAsTheSiteWants() throws Exception {
    Configuration site = new Configuration();
    site.set("hadoop.security.secret-manager.key-generator.algorithm", "HmacSHA256");
    site.setInt("hadoop.security.secret-manager.key-length", 256);
    SecretManager.update(site);
    try {
      FutureTask<Void> signing = new FutureTask<>(this::signByHmacSha256);
      new Thread(signing, "signing").start();
      signing.get(60, TimeUnit.SECONDS);
    } finally {
      SecretManager.update(new Configuration());
    }
  }

  private Void signByHmacSha256() throws Exception {
    BlockTokens tokens = nameNode();
    byte[] key = tokens.exportedKeys().getCurrentKey().getEncodedKey();
    assertThat(key).hasSize(256 / Byte.SIZE);
    Token<BlockTokenIdentifier> token = token(tokens, AccessMode.READ);
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    assertThat(token.getPassword()).isEqualTo(mac.doFinal(token.getIdentifier()));
    check(dataNode(tokens.exportedKeys()), token, AccessMode.READ);
    assertThat(nameNode().exportedKeys().getCurrentKey().getEncodedKey()).isEqualTo(key);
    return null;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tellHowTheConnectionOfTheUserIsProtected(boolean isProtobuf) throws IOException {
    conf.setBoolean("dfs.block.access.token.protobuf.enable", isProtobuf);
    BlockTokens tokens = nameNode();
    BlockTokenSecretManager dataNode = dataNode(tokens.exportedKeys());
    Token<BlockTokenIdentifier> told =
        tokens
            .sign(located(), AccessMode.WRITE, new TokenUser("alice", "auth-conf"))
            .getBlockToken();
    check(dataNode, told, AccessMode.WRITE);
    assertThat(identifier(told).getHandshakeMsg()).asString().isEqualTo("auth-conf");
    assertThat(identifier(token(tokens, AccessMode.WRITE)).getHandshakeMsg()).isEmpty();
  }

  @Test
  void aDataNodeRefusesWhatTheyAreNotFor() throws IOException {
    BlockTokens tokens = nameNode();
    BlockTokenSecretManager dataNode = dataNode(tokens.exportedKeys());
    Token<BlockTokenIdentifier> token = token(tokens, AccessMode.READ);
    String text = "Block token with " + identifier(token);

    assertThatThrownBy(() -> check(dataNode, token, AccessMode.WRITE))
        .isInstanceOf(InvalidToken.class)
        .hasMessage(text + " doesn't have WRITE permission");
    assertThatThrownBy(() -> dataNode.checkAccess(token, "bob", BLOCK, AccessMode.READ))
        .isInstanceOf(InvalidToken.class)
        .hasMessage(text + " doesn't belong to user bob");
    ExtendedBlock other = new ExtendedBlock(POOL, BLOCK.getBlockId() + 1, 100, 1001);
    assertThatThrownBy(() -> dataNode.checkAccess(token, "alice", other, AccessMode.READ))
        .isInstanceOf(InvalidToken.class)
        .hasMessage(text + " doesn't apply to block " + other);
    assertThatThrownBy(
            () ->
                dataNode.checkAccess(
                    token, "alice", BLOCK, AccessMode.READ, null, new String[] {"DS-3"}))
        .isInstanceOf(InvalidToken.class);

    byte[] forged = token.getPassword().clone();
    forged[0] ^= 1;
    Token<BlockTokenIdentifier> changed =
        new Token<>(token.getIdentifier(), forged, token.getKind(), token.getService());
    assertThatThrownBy(() -> check(dataNode, changed, AccessMode.READ))
        .isInstanceOf(InvalidToken.class)
        .hasMessage(text + " doesn't have the correct token password");
  }

  @Test
  void thereAreNoneWhereTheyAreOff() {
    conf.setBoolean("dfs.block.access.token.enable", false);
    conf.setBoolean("dfs.encrypt.data.transfer", true);
    BlockTokens tokens = nameNode();
    assertThat(token(tokens, AccessMode.READ).getIdentifier()).isEmpty();
    assertThat(tokens.exportedKeys().isBlockTokenEnabled()).isFalse();
    assertThat(tokens.newEncryptionKey()).isNull();
    assertThat(tokens.keysVersion()).isZero();
    assertThat(AccessKeys.read(store)).isNull();
  }

  @Test
  void keysHaveHdfssTimes() {
    long nowMs = clock.millis();
    long updateMs = UPDATE.toMillis();
    long lifetimeMs = LIFETIME.toMillis();
    BlockTokens tokens = nameNode();
    ExportedBlockKeys first = tokens.exportedKeys();
    assertThat(first.isBlockTokenEnabled()).isTrue();
    assertThat(first.getKeyUpdateInterval()).isEqualTo(updateMs);
    assertThat(first.getTokenLifetime()).isEqualTo(lifetimeMs);
    int number = first.getCurrentKey().getKeyId();
    assertThat(number).isNotNegative();
    assertThat(first.getCurrentKey().getExpiryDate()).isEqualTo(nowMs + 2 * updateMs + lifetimeMs);
    BlockKey next = key(first, number + 1);
    assertThat(next.getExpiryDate()).isEqualTo(nowMs + 3 * updateMs + lifetimeMs);
    assertThat(first.getAllKeys()).hasSize(2);
    assertThat(next.getEncodedKey()).isNotEqualTo(first.getCurrentKey().getEncodedKey());

    clock.advance(UPDATE.plusMillis(1));
    tokens.look();
    nowMs = clock.millis();
    ExportedBlockKeys second = tokens.exportedKeys();
    assertThat(second.getCurrentKey().getKeyId()).isEqualTo(number + 1);
    assertThat(second.getCurrentKey().getEncodedKey()).isEqualTo(next.getEncodedKey());
    assertThat(second.getCurrentKey().getExpiryDate()).isEqualTo(nowMs + 2 * updateMs + lifetimeMs);
    assertThat(key(second, number).getExpiryDate()).isEqualTo(nowMs + updateMs + lifetimeMs);
    assertThat(key(second, number).getEncodedKey())
        .isEqualTo(first.getCurrentKey().getEncodedKey());
    assertThat(key(second, number + 2).getExpiryDate())
        .isEqualTo(nowMs + 3 * updateMs + lifetimeMs);
    assertThat(second.getAllKeys()).hasSize(3);
  }

  private static BlockKey key(ExportedBlockKeys keys, int number) {
    return Stream.of(keys.getAllKeys())
        .filter(key -> key.getKeyId() == number)
        .findAny()
        .orElseThrow();
  }

  @Test
  void expiredKeysGo() {
    BlockTokens tokens = nameNode();
    int first = tokens.exportedKeys().getCurrentKey().getKeyId();
    // a key that signed last goes with the first roll after the tokens' life and an interval
    List<Integer> rolls = new ArrayList<>();
    for (int roll = 1; roll <= 10; roll++) {
      clock.advance(UPDATE.plusMillis(1));
      tokens.look();
      if (Arrays.stream(tokens.exportedKeys().getAllKeys()).anyMatch(k -> k.getKeyId() == first)) {
        rolls.add(roll);
      }
    }
    assertThat(rolls).containsExactly(1, 2, 3, 4);
    assertThat(tokens.exportedKeys().getAllKeys()).hasSize(6);
    assertThat(tokens.keysVersion()).isEqualTo(11);
  }

  /** On a store where it has to tell others what it writes, and cannot yet. */
  @Test
  void aNameNodeAmongOthersWritesNothingBeforeItIsStarted() {
    BlockTokens first = nameNode(BlockTokens.Keys.SHARES);
    assertThat(AccessKeys.read(store)).isNull();
    assertThat(first.isReady()).isFalse();
    assertThatThrownBy(first::exportedKeys)
        .isInstanceOf(UnavailableException.class)
        .hasMessage("There are no block keys yet");
    first.start();
    assertThat(first.isReady()).isTrue();
    assertThat(first.keysVersion()).isEqualTo(1);
    first.close();
  }

  /** Another NameNode, whose clock is right, would do the same to what this one has written. */
  @Test
  void aNameNodeThatJoinsOthersTakesTheirKeysWhateverItsClockSays() {
    nameNode();
    clock.advance(UPDATE.multipliedBy(10));
    BlockTokens joined = nameNode(BlockTokens.Keys.SHARES);
    joined.start();
    assertThat(joined.keysVersion()).isEqualTo(1);
    joined.look();
    assertThat(joined.keysVersion()).as("it still serves").isEqualTo(2);
    joined.close();
  }

  @Test
  void nothingIsRolledEarly() {
    BlockTokens tokens = nameNode();
    clock.advance(UPDATE);
    tokens.look();
    assertThat(tokens.keysVersion()).isEqualTo(1);
  }

  /** As after a failover, or of two that serve at a time. */
  @Test
  void allNameNodesHaveTheSame() throws IOException {
    BlockTokens one = nameNode();
    BlockTokens other = nameNode();
    assertThat(other.keysVersion()).isEqualTo(1);
    BlockTokenSecretManager dataNode = dataNode(one.exportedKeys());
    check(dataNode, token(other, AccessMode.READ), AccessMode.READ);

    store = store.crash();
    BlockTokens restarted = nameNode();
    assertThat(restarted.keysVersion()).isEqualTo(1);
    check(dataNode, token(restarted, AccessMode.READ), AccessMode.READ);
    check(dataNode(restarted.exportedKeys()), token(one, AccessMode.READ), AccessMode.READ);
  }

  @Test
  void whoeverIsDueRollsForAll() throws IOException {
    BlockTokens one = nameNode();
    BlockTokens other = nameNode();
    BlockTokenSecretManager toldOnce = dataNode(one.exportedKeys());
    clock.advance(UPDATE.plusMillis(1));
    one.look();
    // until it looks, the other signs with a key that is still valid
    BlockTokenSecretManager toldAgain = dataNode(one.exportedKeys());
    check(toldAgain, token(other, AccessMode.READ), AccessMode.READ);
    // and DataNodes that were not told again have had the next key since before
    check(toldOnce, token(one, AccessMode.READ), AccessMode.READ);

    other.look();
    assertThat(other.keysVersion()).isEqualTo(2).isEqualTo(one.keysVersion());
    assertThat(other.exportedKeys().getCurrentKey()).isEqualTo(one.exportedKeys().getCurrentKey());
  }

  @Test
  void manyAtOnceRollOnce() {
    List<BlockTokens> nameNodes = Stream.generate(this::nameNode).limit(8).toList();
    for (int round = 2; round < 30; round++) {
      clock.advance(UPDATE.plusMillis(1));
      CompletableFuture.allOf(
              nameNodes.stream()
                  .map(nameNode -> CompletableFuture.runAsync(nameNode::look))
                  .toArray(CompletableFuture[]::new))
          .join();
      assertThat(nameNodes).extracting(BlockTokens::keysVersion).containsOnly((long) round);
    }
  }

  /** As after days without a NameNode, or where tokens are to live longer from now on. */
  @Test
  void aKeyThatTokensWouldOutliveSignsNoMore() {
    int first = nameNode().exportedKeys().getCurrentKey().getKeyId();
    conf.setLong("dfs.block.access.key.update.interval", 10_000);
    assertThat(nameNode().exportedKeys().getCurrentKey().getKeyId()).isEqualTo(first);
    conf.setLong("dfs.block.access.token.lifetime", 10_000);
    ExportedBlockKeys longer = nameNode().exportedKeys();
    assertThat(longer.getCurrentKey().getKeyId()).isEqualTo(first + 1);

    clock.advance(Duration.ofDays(100));
    ExportedBlockKeys late = nameNode().exportedKeys();
    assertThat(late.getCurrentKey().getKeyId()).isEqualTo(first + 2);
    assertThat(late.getCurrentKey().getExpiryDate())
        .isGreaterThan(clock.millis() + Duration.ofMinutes(10_000).toMillis());
    assertThat(late.getAllKeys())
        .extracting(BlockKey::getKeyId)
        .as("the first stays, as it may be the clock that is wrong")
        .containsExactly(first, first + 1, first + 2, first + 3);

    clock.advance(Duration.ofMinutes(10_000).plusMillis(1));
    assertThat(nameNode().exportedKeys().getAllKeys())
        .extracting(BlockKey::getKeyId)
        .containsExactly(first + 1, first + 2, first + 3, first + 4);
  }

  @Test
  void oneThatOnlyReadsWaitsForAnother() throws IOException {
    BlockTokens observer = nameNode(BlockTokens.Keys.READS);
    assertThat(observer.isReady()).isFalse();
    observer.refresh();
    assertThat(observer.isReady()).isFalse();
    assertThat(AccessKeys.read(store)).isNull();

    BlockTokens leader = nameNode();
    observer.refresh();
    assertThat(observer.isReady()).isTrue();
    check(dataNode(leader.exportedKeys()), token(observer, AccessMode.READ), AccessMode.READ);

    clock.advance(UPDATE.multipliedBy(3));
    observer.refresh();
    assertThat(observer.keysVersion()).isEqualTo(1);
  }

  @Test
  void dataEncryptionKeysAreThoseOfDataNodes() throws IOException {
    conf.setBoolean("dfs.encrypt.data.transfer", true);
    conf.set("dfs.encrypt.data.transfer.algorithm", "rc4");
    BlockTokens tokens = nameNode();
    BlockTokenSecretManager dataNode = dataNode(tokens.exportedKeys());
    DataEncryptionKey key = tokens.newEncryptionKey();
    assertThat(dataNode.retrieveDataEncryptionKey(key.keyId, key.nonce))
        .isEqualTo(key.encryptionKey);
    assertThat(key.blockPoolId).isEqualTo(POOL);
    assertThat(key.nonce).hasSize(8);
    assertThat(key.encryptionAlgorithm).isEqualTo("rc4");
    assertThat(key.expiryDate).isEqualTo(clock.millis() + LIFETIME.toMillis());
    assertThat(tokens.newEncryptionKey().nonce).isNotEqualTo(key.nonce);
    assertThatThrownBy(() -> dataNode.retrieveDataEncryptionKey(key.keyId + 7, key.nonce))
        .isInstanceOf(InvalidEncryptionKeyException.class);
  }

  @Test
  void textsHaveNoSecrets() {
    nameNode();
    AccessKeys keys = AccessKeys.read(store);
    assertThat(keys)
        .hasToString(
            "AccessKeys{rolls=1, current="
                + keys.current().getKeyId()
                + ", next="
                + keys.next().getKeyId()
                + ", all=2}");
  }
}
