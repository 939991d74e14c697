package io.acaciafs.blocks.token;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.blocks.proto.BlockKeysRow;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.settings.TokenSettings;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javax.crypto.SecretKey;
import org.apache.hadoop.hdfs.security.token.block.BlockKey;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.jspecify.annotations.Nullable;

/**
 * The keys that sign block tokens, as one row has them: the current one, the next one, which all
 * have long before it signs anything, and those before whose tokens may still be valid. Immutable;
 * its text has no secrets.
 *
 * <p>Source of the times: HDFS 3.5's BlockTokenSecretManager.
 */
final class AccessKeys {
  private final long rolls;
  private final long rolledMs;
  private final BlockKey current;
  private final BlockKey next;

  /** Those before, then these two. */
  private final List<BlockKey> all;

  /**
   * @param rolls how many sets of keys there have been, this one included
   * @param rolledMs when this one was made, since 1970
   */
  private AccessKeys(
      long rolls, long rolledMs, BlockKey current, BlockKey next, List<BlockKey> before) {
    this.rolls = rolls;
    this.rolledMs = rolledMs;
    this.current = current;
    this.next = next;
    this.all = new ArrayList<>(before);
    all.add(current);
    all.add(next);
  }

  /** The first ones of a store. */
  static AccessKeys first(TokenSettings settings, long nowMs, Supplier<SecretKey> secrets) {
    int number = new SecureRandom().nextInt(Integer.MAX_VALUE);
    return new AccessKeys(
        1,
        nowMs,
        key(number, nowMs + currentLastsMs(settings), secrets.get()),
        key(after(number), nowMs + nextLastsMs(settings), secrets.get()),
        List.of());
  }

  /**
   * The next key becomes the current one, and those that have expired go. A NameNode whose clock is
   * wrong takes them all for expired: as many stay in any case as have signed tokens that may be
   * valid still.
   */
  AccessKeys roll(TokenSettings settings, long nowMs, Supplier<SecretKey> secrets) {
    List<BlockKey> before = new ArrayList<>();
    List<BlockKey> retired = all.subList(0, all.size() - 2);
    long updateMs = Math.max(1, settings.keyUpdateMs());
    long inUse = (settings.lifetimeMs() + updateMs - 1) / updateMs;
    for (int i = 0; i < retired.size(); i++) {
      if (retired.get(i).getExpiryDate() >= nowMs || retired.size() - i <= inUse) {
        before.add(retired.get(i));
      }
    }
    long lastsMs = settings.keyUpdateMs() + settings.lifetimeMs();
    before.add(key(current.getKeyId(), nowMs + lastsMs, current.getKey()));
    return new AccessKeys(
        rolls + 1,
        nowMs,
        key(next.getKeyId(), nowMs + currentLastsMs(settings), next.getKey()),
        key(after(next.getKeyId()), nowMs + nextLastsMs(settings), secrets.get()),
        before);
  }

  private static long currentLastsMs(TokenSettings settings) {
    return 2 * settings.keyUpdateMs() + settings.lifetimeMs();
  }

  private static long nextLastsMs(TokenSettings settings) {
    return 3 * settings.keyUpdateMs() + settings.lifetimeMs();
  }

  private static BlockKey key(int number, long expiresMs, SecretKey secret) {
    return new BlockKey(number, expiresMs, secret);
  }

  /** Numbers are never negative. */
  private static int after(int number) {
    return number == Integer.MAX_VALUE ? 0 : number + 1;
  }

  /**
   * Whether the next key is to sign, also because tokens would outlive the current one, or because
   * a NameNode whose clock was wrong has had it sign from a time in the future.
   */
  boolean isDue(TokenSettings settings, long nowMs) {
    return Math.abs(nowMs - rolledMs) > settings.keyUpdateMs()
        || current.getExpiryDate() - nowMs < settings.lifetimeMs();
  }

  /** Grows with each change of the row. */
  long rolls() {
    return rolls;
  }

  BlockKey current() {
    return current;
  }

  BlockKey next() {
    return next;
  }

  /** As DataNodes and the balancer are told of them. */
  ExportedBlockKeys exported(TokenSettings settings) {
    return new ExportedBlockKeys(
        true, settings.keyUpdateMs(), settings.lifetimeMs(), current, all.toArray(new BlockKey[0]));
  }

  /** Null where there are none yet. */
  static @Nullable AccessKeys read(Reader reader) {
    return decode(reader.get(BlockKeys.accessKeys()));
  }

  /** The same, and guards the row. */
  static @Nullable AccessKeys guard(Transaction tx) {
    return decode(tx.get(BlockKeys.accessKeys()));
  }

  private static @Nullable AccessKeys decode(byte @Nullable [] bytes) {
    if (bytes == null) {
      return null;
    }
    try {
      BlockKeysRow row = BlockKeysRow.parseFrom(bytes);
      return new AccessKeys(
          row.getRolls(),
          row.getRolledMs(),
          decode(row.getCurrent()),
          decode(row.getNext()),
          row.getBeforeList().stream().map(AccessKeys::decode).toList());
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("The row of the block keys is damaged", e);
    }
  }

  private static BlockKey decode(BlockKeysRow.Key key) {
    return new BlockKey(key.getNumber(), key.getExpiresMs(), key.getSecret().toByteArray());
  }

  void write(Transaction tx) {
    BlockKeysRow.Builder row =
        BlockKeysRow.newBuilder()
            .setRolls(rolls)
            .setRolledMs(rolledMs)
            .setCurrent(encode(current))
            .setNext(encode(next));
    for (BlockKey key : all) {
      if (key != current && key != next) {
        row.addBefore(encode(key));
      }
    }
    tx.put(BlockKeys.accessKeys(), row.build().toByteArray());
  }

  private static BlockKeysRow.Key encode(BlockKey key) {
    return BlockKeysRow.Key.newBuilder()
        .setNumber(key.getKeyId())
        .setExpiresMs(key.getExpiryDate())
        .setSecret(ByteString.copyFrom(key.getEncodedKey()))
        .build();
  }

  @Override
  public String toString() {
    return "AccessKeys{rolls="
        + rolls
        + ", current="
        + current.getKeyId()
        + ", next="
        + next.getKeyId()
        + ", all="
        + all.size()
        + "}";
  }
}
