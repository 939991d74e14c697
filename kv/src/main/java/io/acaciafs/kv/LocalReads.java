package io.acaciafs.kv;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads that take microseconds: nothing is worth being read before, or being remembered. */
record LocalReads(Transaction transaction) implements RemoteReads {
  @Override
  public boolean mayBlock() {
    return true;
  }

  @Override
  public byte @Nullable [] recall(Key key) {
    return transaction.get(key);
  }

  @Override
  public byte @Nullable [] recallUnguarded(Key key) {
    return null;
  }

  @Override
  public void prefetch(List<Key> keys) {
    // a read is cheap when it is needed
  }

  @Override
  public @Nullable Reader prefetched() {
    return null;
  }

  @Override
  public void noteReadBeside() {
    // guards are checked at the end in any case
  }

  @Override
  public void replace(Key key, byte[] value) {
    transaction.put(key, value);
  }

  @Override
  public void putNewIndex(Key key, byte[] value) {
    transaction.putIndex(key, value);
  }
}
