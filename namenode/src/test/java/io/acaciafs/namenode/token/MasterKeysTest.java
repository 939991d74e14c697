package io.acaciafs.namenode.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.namespace.token.CurrentKeyRow;
import io.acaciafs.namespace.token.MasterKeyRow;
import io.acaciafs.namespace.token.TokenKeys;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.security.token.delegation.DelegationKey;
import org.junit.jupiter.api.Test;

class MasterKeysTest {
  private static final TokenSettings SETTINGS = new TokenSettings(true, true, 100, 1000, 10, 1);

  private final MemoryStore store = new MemoryStore();
  private final MasterKeys one = new MasterKeys(SETTINGS);
  private final MasterKeys other = new MasterKeys(SETTINGS);

  private DelegationKey current(MasterKeys keys, long nowMs) {
    Transaction tx = store.begin();
    DelegationKey key = keys.current(tx, nowMs);
    tx.commit().join();
    return key;
  }

  @Test
  void ofTwoThatMakeAKeyAtOnceTheLoserTakesTheWinners() {
    for (long nowMs : new long[] {5_000, 5_101}) {
      Transaction first = store.begin();
      Transaction second = store.begin();
      DelegationKey winner = one.current(first, nowMs);
      DelegationKey loser = other.current(second, nowMs);
      assertThat(loser.getEncodedKey()).isNotEqualTo(winner.getEncodedKey());
      first.commit().join();
      assertThatThrownBy(() -> second.commit().join())
          .isInstanceOf(CompletionException.class)
          .hasCauseInstanceOf(ConflictException.class);
      assertThat(current(other, nowMs)).isEqualTo(winner);
      assertThat(current(one, nowMs)).isEqualTo(winner);
    }
  }

  @Test
  void aTokenIsNotIssuedWithAKeyThatIsRetiredMeanwhile() {
    current(one, 5_000);
    Transaction issuing = store.begin();
    assertThat(other.current(issuing, 5_100).getKeyId()).isEqualTo(1);
    issuing.put(TokenKeys.token(1, 1), new byte[] {1});
    assertThat(current(one, 5_101).getKeyId()).isEqualTo(2);
    assertThatThrownBy(() -> issuing.commit().join()).hasCauseInstanceOf(ConflictException.class);
  }

  @Test
  void aKeyOfTheFutureIsReplaced() {
    current(one, 5_000);
    assertThat(other.isDue(store, 4_900)).isFalse();
    assertThat(other.isDue(store, 4_899)).isTrue();
    assertThat(current(other, 4_899).getKeyId()).isEqualTo(2);
    assertThat(other.isDue(store, 4_899)).isFalse();
    assertThat(other.isDue(store, 5_000)).isTrue();
  }

  /** As after an import, whose last key may be one without content. */
  @Test
  void numbersGoOnBehindThoseOfAnImage() {
    Transaction tx = store.begin();
    tx.put(TokenKeys.currentKey(), new CurrentKeyRow(7, 0).encode());
    tx.put(TokenKeys.masterKey(7), MasterKeyRow.encode(new DelegationKey(7, 9_000, new byte[0])));
    tx.commit().join();
    assertThat(one.find(store, 7)).isNull();
    assertThat(current(one, 5_000).getKeyId()).isEqualTo(8);
    assertThat(one.find(store, 99)).isNull();
  }

  @Test
  void aKeyIsKeptAsLongAsATokenOfALongerLifetimeMayRestOnIt() {
    MasterKeys before = new MasterKeys(new TokenSettings(true, true, 100, 50_000, 10, 1));
    current(before, 5_000);
    current(one, 5_101);
    byte[] row = store.get(TokenKeys.masterKey(1));
    assertThat(MasterKeyRow.decode(1, row).getExpiryDate()).isEqualTo(5_000 + 100 + 50_000);
  }
}
