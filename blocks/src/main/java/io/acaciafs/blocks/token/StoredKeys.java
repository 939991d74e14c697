package io.acaciafs.blocks.token;

import io.acaciafs.blocks.settings.BlockContext;
import io.acaciafs.blocks.settings.TokenSettings;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.run.TransactionRunner;
import java.time.Clock;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The block keys as this NameNode has read them last. Whichever NameNode finds them due has the
 * next key sign: in a transaction that guards the row, so that one of several does it and the
 * others take what it wrote. A NameNode that knows the keys from before signs with one that all
 * DataNodes have and go on to take. Safe for use by many threads.
 */
final class StoredKeys {
  private static final Logger LOG = LoggerFactory.getLogger(StoredKeys.class);

  private final TransactionRunner runner;
  private final TokenSettings settings;
  private final Clock clock;
  private final NewSecrets secrets = new NewSecrets();
  private final AtomicReference<@Nullable AccessKeys> known = new AtomicReference<>();

  StoredKeys(BlockContext context) {
    this.runner = context.runner();
    this.settings = context.tokenSettings();
    this.clock = context.wallClock();
  }

  /** Null before the first look, and where another NameNode has not made any. */
  @Nullable AccessKeys known() {
    return known.get();
  }

  /** Takes what another NameNode has written. Reads a row, and blocks until it is there. */
  void refresh() {
    take(AccessKeys.read(runner.store()));
  }

  /**
   * The same, and makes the first keys, or has the next key sign, where that is due. Blocks until
   * that is durable: what no crash takes back may sign.
   */
  void look() {
    AccessKeys stored = AccessKeys.read(runner.store());
    take(
        stored == null || stored.isDue(settings, clock.millis())
            ? runner.<AccessKeys>submit(tx -> roll(AccessKeys.guard(tx), tx)).join()
            : stored);
  }

  private AccessKeys roll(@Nullable AccessKeys stored, Transaction tx) {
    long nowMs = clock.millis();
    if (stored != null && !stored.isDue(settings, nowMs)) {
      return stored; // another NameNode was faster
    }
    AccessKeys rolled =
        stored == null
            ? AccessKeys.first(settings, nowMs, secrets::next)
            : stored.roll(settings, nowMs, secrets::next);
    rolled.write(tx);
    return rolled;
  }

  private void take(@Nullable AccessKeys read) {
    if (read == null) {
      return;
    }
    AccessKeys before = known.getAndAccumulate(read, StoredKeys::later);
    if (before == null || before.rolls() < read.rolls()) {
      LOG.info(
          "Block keys read current={} next={} rolls={}",
          read.current().getKeyId(),
          read.next().getKeyId(),
          read.rolls());
    }
  }

  private static @Nullable AccessKeys later(@Nullable AccessKeys one, @Nullable AccessKeys other) {
    AccessKeys read = Objects.requireNonNull(other, "it was read");
    return one != null && one.rolls() >= read.rolls() ? one : read;
  }
}
