package io.acaciafs.blocks.token;

import io.acaciafs.blocks.settings.BlockContext;
import io.acaciafs.blocks.settings.TokenSettings;
import io.acaciafs.kv.UnavailableException;
import io.acaciafs.kv.run.RepeatedFailures;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.EnumSet;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockKey;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.security.token.block.DataEncryptionKey;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.Token;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Block tokens and data encryption keys, where dfs.block.access.token.enable is on; else it gives
 * none. Signing takes no lock and reads memory only. Times are by the system's clock, as DataNodes
 * compare them with theirs. Safe for use by many threads.
 *
 * <p>Source: HDFS 3.5's BlockTokenSecretManager and BlockManager.setBlockToken.
 */
public final class BlockTokens implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BlockTokens.class);
  private static final String FAILED = "Block keys could not be read or rolled, will try again";
  private static final int NONCE_BYTES = 8;

  /** A reply with tokens is given again for this part of their life. */
  private static final int PART_OF_LIFE = 10;

  /** How often the row is read while a key signs, but for the bounds below. */
  private static final int LOOKS_A_KEY = 20;

  private static final long SHORTEST_PAUSE_MS = 1_000;
  private static final long LONGEST_PAUSE_MS = 30_000;

  /** Until then a NameNode that joins others and has a wrong clock has ended. */
  private static final long FIRST_PAUSE_MS = 5_000;

  /** What a NameNode does about the keys before {@link #start}. */
  public enum Keys {
    /** Reads them, and never does anything else: another NameNode makes them. */
    READS,
    /**
     * Reads them: several NameNodes make them, and this one writes nothing before it can tell the
     * others of it, and before they have compared their clocks.
     */
    SHARES,
    /** Makes them: no other NameNode does. */
    OWNS
  }

  private final RepeatedFailures failures = new RepeatedFailures(LOG);
  private final SecureRandom random = new SecureRandom();
  private final TokenSettings settings;
  private final StoredKeys keys;
  private final String blockPoolId;
  private final Clock clock;
  private final ScheduledExecutorService executor;
  private final Keys use;
  private @Nullable ScheduledFuture<?> looks;

  /** Reads the keys, and makes those that are due where no other NameNode does. */
  public BlockTokens(BlockContext context, Keys use) {
    this.settings = context.tokenSettings();
    this.keys = new StoredKeys(context);
    this.blockPoolId = context.blockPoolId();
    this.clock = context.wallClock();
    this.executor = context.executor();
    this.use = use;
    if (settings.isEnabled() && use == Keys.OWNS) {
      keys.look();
    } else if (settings.isEnabled()) {
      keys.refresh();
    }
  }

  /**
   * Begins to look at the keys every now and then, until {@link #close}. Where several NameNodes
   * serve, the others have to be reachable; then it makes the first keys, and blocks until they are
   * durable.
   */
  public synchronized void start() {
    if (settings.isEnabled() && looks == null) {
      if (use == Keys.SHARES && keys.known() == null) {
        look();
      }
      long pauseMs =
          Math.max(
              SHORTEST_PAUSE_MS, Math.min(LONGEST_PAUSE_MS, settings.keyUpdateMs() / LOOKS_A_KEY));
      looks =
          executor.scheduleWithFixedDelay(
              this::look, Math.min(pauseMs, FIRST_PAUSE_MS), pauseMs, TimeUnit.MILLISECONDS);
    }
  }

  /**
   * Has the next key sign if that is due, or takes what another NameNode did. Blocks until that is
   * durable. A failure is logged.
   */
  public void look() {
    attempt(keys::look);
  }

  /** Takes what the NameNode did that makes the keys. Blocks for a read. A failure is logged. */
  public void refresh() {
    attempt(keys::refresh);
  }

  private void attempt(Runnable look) {
    if (!settings.isEnabled()) {
      return;
    }
    try {
      look.run();
      failures.succeeded(FAILED);
    } catch (RuntimeException e) { // one that escaped would end all further looks
      failures.failed(FAILED, e);
    }
  }

  /** Whether DataNodes ask for tokens. */
  public boolean isEnabled() {
    return settings.isEnabled();
  }

  /** Whether there is what replies need; false only for a while, and where others serve. */
  public boolean isReady() {
    return !settings.isEnabled() || keys.known() != null;
  }

  /**
   * Says which keys sign: grows whenever others do. 0 where there are none. Take it before signing
   * what is to be kept as long as it stays the same.
   */
  public long keysVersion() {
    AccessKeys known = keys.known();
    return known == null ? 0 : known.rolls();
  }

  /** How long a reply with tokens may be given again. */
  public long repliesLastMs() {
    return settings.isEnabled() ? settings.lifetimeMs() / PART_OF_LIFE : Long.MAX_VALUE;
  }

  /**
   * Gives a block a token for its storages, if tokens are on.
   *
   * @param user that may use it
   * @return the same block
   */
  public LocatedBlock sign(LocatedBlock block, AccessMode mode, TokenUser user) {
    if (settings.isEnabled()) {
      block.setBlockToken(token(block, mode, user));
    }
    return block;
  }

  private Token<BlockTokenIdentifier> token(LocatedBlock located, AccessMode mode, TokenUser user) {
    BlockKey key = required().current();
    ExtendedBlock block = located.getBlock();
    BlockTokenIdentifier identifier =
        new BlockTokenIdentifier(
            user.shortName(),
            block.getBlockPoolId(),
            block.getBlockId(),
            EnumSet.of(mode),
            located.getStorageTypes(),
            located.getStorageIDs(),
            settings.isProtobuf());
    if (user.qop() != null) {
      identifier.setHandshakeMsg(user.qop().getBytes(StandardCharsets.UTF_8));
    }
    identifier.setExpiryDate(clock.millis() + settings.lifetimeMs());
    identifier.setKeyId(key.getKeyId());
    byte[] bytes = identifier.getBytes();
    return new Token<>(
        bytes, SecretManager.createPassword(bytes, key.getKey()), identifier.getKind(), new Text());
  }

  private AccessKeys required() {
    AccessKeys known = keys.known();
    if (known == null) {
      throw new UnavailableException("There are no block keys yet");
    }
    return known;
  }

  /** For DataNodes and the balancer; says so where tokens are off. */
  public ExportedBlockKeys exportedKeys() {
    return settings.isEnabled() ? required().exported(settings) : new ExportedBlockKeys();
  }

  /** For a client and the DataNodes it speaks to; null where data is not encrypted. */
  public @Nullable DataEncryptionKey newEncryptionKey() {
    if (!settings.isEnabled() || !settings.encryptsData()) {
      return null;
    }
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    BlockKey key = required().current();
    return new DataEncryptionKey(
        key.getKeyId(),
        blockPoolId,
        nonce,
        SecretManager.createPassword(nonce, key.getKey()),
        clock.millis() + settings.lifetimeMs(),
        settings.encryptionAlgorithm());
  }

  /** Ends the looks; the executor stays with its owner. */
  @Override
  public synchronized void close() {
    if (looks != null) {
      looks.cancel(false);
    }
  }
}
