package io.acaciafs.kv.engine;

import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.ReadSet;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.RemoteReads;
import io.acaciafs.kv.Transaction;
import java.util.concurrent.CompletableFuture;

/** A transaction that keeps its writes back until it ends: what engines have in common. */
public abstract class BufferedTransaction implements Transaction {
  private Reader reader;
  private final WriteSet writes = new WriteSet();
  private boolean ended;

  protected BufferedTransaction(Reader store) {
    this.reader = store;
  }

  /** For engines that can track reads: what is read without a guard goes through it. */
  protected final void readThrough(ReadSet readSet) {
    reader = readSet;
  }

  /** Checks the guards and takes effect, as {@link #commit} says. */
  protected abstract CompletableFuture<Void> commit(WriteSet writes);

  /** Checks the guards, as {@link #validate} says. */
  protected abstract CompletableFuture<Void> checkGuards();

  @Override
  public final Reader unguarded() {
    return reader;
  }

  @Override
  public final void put(Key key, byte[] value) {
    writes.put(key, value);
  }

  /** A put of a row that most likely exists, see {@link RemoteReads#replace}. */
  public final void replace(Key key, byte[] value) {
    writes.replace(key, value);
  }

  /** A put of an index row that nothing has written, see {@link RemoteReads#putNewIndex}. */
  public final void putNewIndex(Key key, byte[] value) {
    writes.putNewIndex(key, value);
  }

  @Override
  public final void delete(Key key) {
    writes.delete(key);
  }

  @Override
  public final void add(Key key, Counters delta) {
    writes.add(key, delta);
  }

  @Override
  public final void putIndex(Key key, byte[] value) {
    writes.putIndex(key, value);
  }

  @Override
  public final void putIndexIfAbsent(Key key) {
    writes.putIndexIfAbsent(key);
  }

  @Override
  public final void deleteIndex(Key key) {
    writes.deleteIndex(key);
  }

  @Override
  public final boolean hasWrites() {
    return !writes.isEmpty();
  }

  @Override
  public final CompletableFuture<Void> commit() {
    end();
    return commit(writes);
  }

  @Override
  public final CompletableFuture<Void> validate() {
    end();
    return checkGuards();
  }

  private void end() {
    if (ended) {
      throw new IllegalStateException("A transaction is committed or validated once");
    }
    ended = true;
  }
}
