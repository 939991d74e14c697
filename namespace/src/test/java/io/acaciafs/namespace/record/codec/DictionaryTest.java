package io.acaciafs.namespace.record.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.memory.MemoryStore;
import org.junit.jupiter.api.Test;

class DictionaryTest {
  private final MemoryStore store = new MemoryStore();

  @Test
  void newNamesOfOneTransactionGetDifferentNumbers() {
    Transaction transaction = store.begin();
    Dictionary.Scope names = new Dictionary().in(transaction);
    int alice = names.idOf("alice");
    int staff = names.idOf("staff");
    assertThat(alice).isNotEqualTo(staff);
    assertThat(names.idOf("alice")).isEqualTo(alice);
    transaction.commit().join();

    Dictionary fresh = new Dictionary();
    assertThat(fresh.nameOf(alice, store)).isEqualTo("alice");
    assertThat(fresh.nameOf(staff, store)).isEqualTo("staff");
    assertThat(fresh.in(store.begin()).idOf("staff")).isEqualTo(staff);
  }

  @Test
  void namesOfTransactionsAtTheSameTimeDoNotShareANumber() {
    Dictionary dictionary = new Dictionary();
    Transaction one = store.begin();
    Transaction other = store.begin();
    dictionary.in(one).idOf("alice");
    dictionary.in(other).idOf("bob");
    one.commit().join();
    assertThat(other.commit()).isCompletedExceptionally();
    Transaction again = store.begin();
    int bob = dictionary.in(again).idOf("bob");
    again.commit().join();
    assertThat(new Dictionary().nameOf(bob, store)).isEqualTo("bob");
    assertThat(dictionary.in(store.begin()).idOf("alice")).isNotEqualTo(bob);
  }

  @Test
  void aNumberThatWasNotCommittedIsForgotten() {
    Dictionary dictionary = new Dictionary();
    int dropped = dictionary.in(store.begin()).idOf("alice");
    assertThatThrownBy(() -> dictionary.nameOf(dropped, store)).isInstanceOf(StoreException.class);
  }

  @Test
  void manyLongNamesAreNotAllRemembered() {
    Dictionary dictionary = new Dictionary();
    int first = 0;
    int last = 0;
    for (int i = 0; i < 10_000; i += 100) {
      Transaction transaction = store.begin();
      Dictionary.Scope names = dictionary.in(transaction);
      for (int j = i; j < i + 100; j++) {
        last = names.idOf(j + "x".repeat(2000));
        first = first == 0 ? last : first;
      }
      transaction.commit().join();
    }
    for (int id = first; id <= last; id++) {
      dictionary.in(store.begin()).idOf(dictionary.nameOf(id, store));
    }
    assertThat(dictionary.size()).isLessThan(9_000);
    assertThat(dictionary.nameOf(first, store)).isEqualTo("0" + "x".repeat(2000));
    assertThat(dictionary.nameOf(last, store)).isEqualTo("9999" + "x".repeat(2000));
    assertThat(dictionary.in(store.begin()).idOf("7" + "x".repeat(2000))).isEqualTo(first + 7);
  }
}
