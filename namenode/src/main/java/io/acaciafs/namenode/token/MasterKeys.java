package io.acaciafs.namenode.token;

import io.acaciafs.blocks.token.NewSecrets;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Transaction;
import io.acaciafs.namespace.token.CurrentKeyRow;
import io.acaciafs.namespace.token.MasterKeyRow;
import io.acaciafs.namespace.token.TokenKeys;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.security.token.delegation.DelegationKey;
import org.jspecify.annotations.Nullable;

/**
 * The keys that passwords of tokens are made with. The first NameNode that finds the current key
 * too old makes the next one; another one that is about to do the same conflicts on the row that
 * names the current key, runs again and takes what it finds. Safe for use by many threads.
 *
 * <p>Source of the times: {@code AbstractDelegationTokenSecretManager}.
 */
final class MasterKeys {
  private final TokenSettings settings;
  private final NewSecrets secrets = new NewSecrets();

  /** Of rows that were read: what makes a password never changes. */
  private final Map<Integer, DelegationKey> known = new ConcurrentHashMap<>();

  MasterKeys(TokenSettings settings) {
    this.settings = settings;
  }

  /** Whether new tokens are to get another key. */
  boolean isDue(Reader reader, long nowMs) {
    byte[] row = reader.get(TokenKeys.currentKey());
    return row == null || isOld(CurrentKeyRow.decode(row), nowMs);
  }

  /** Also where a NameNode whose clock was wrong has made it in the future. */
  private boolean isOld(CurrentKeyRow current, long nowMs) {
    return Math.abs(nowMs - current.sinceMs()) > settings.keyUpdateMs();
  }

  /**
   * The key for a new token, which the transaction guards to be the current one. Makes another one
   * where it is old.
   */
  DelegationKey current(Transaction transaction, long nowMs) {
    byte[] row = transaction.get(TokenKeys.currentKey());
    CurrentKeyRow current = row == null ? new CurrentKeyRow(0, 0) : CurrentKeyRow.decode(row);
    if (row != null && !isOld(current, nowMs)) {
      DelegationKey key = find(transaction.unguarded(), current.id());
      if (key != null) {
        return key;
      }
    }
    return roll(transaction, current.id(), nowMs);
  }

  /** Null: there is no such key any more. */
  @Nullable DelegationKey find(Reader reader, int id) {
    DelegationKey cached = known.get(id);
    if (cached != null) {
      return cached;
    }
    byte[] row = reader.get(TokenKeys.masterKey(id));
    if (row == null) {
      return null;
    }
    DelegationKey key = MasterKeyRow.decode(id, row);
    if (key.getKey() == null) {
      return null; // an image may have a key without content
    }
    known.put(id, key);
    return key;
  }

  private DelegationKey roll(Transaction transaction, int retiringId, long nowMs) {
    byte[] retiring = transaction.get(TokenKeys.masterKey(retiringId));
    if (retiring != null) {
      DelegationKey old = MasterKeyRow.decode(retiringId, retiring);
      // not less than before: tokens may have been issued with a longer lifetime
      old.setExpiryDate(Math.max(old.getExpiryDate(), nowMs + settings.maxLifetimeMs()));
      transaction.put(TokenKeys.masterKey(retiringId), MasterKeyRow.encode(old));
    }
    int id = retiringId + 1;
    DelegationKey key =
        new DelegationKey(
            id, nowMs + settings.keyUpdateMs() + settings.maxLifetimeMs(), secrets.next());
    transaction.put(TokenKeys.masterKey(id), MasterKeyRow.encode(key));
    transaction.put(TokenKeys.currentKey(), new CurrentKeyRow(id, nowMs).encode());
    return key;
  }

  /** Not when a key is made, as HDFS does: a NameNode whose clock is wrong would at its start. */
  void removeExpired(Transaction transaction, long nowMs) {
    try (Scan rows = transaction.unguarded().scan(TokenKeys.masterKeys())) {
      while (rows.hasNext()) {
        Row row = rows.next();
        int id = TokenKeys.masterKeyId(row.key());
        if (MasterKeyRow.decode(id, row.value()).getExpiryDate() < nowMs) {
          transaction.delete(row.key());
          known.remove(id);
        }
      }
    }
  }
}
