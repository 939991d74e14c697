package io.acaciafs.namespace.run;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Transaction;
import io.acaciafs.namespace.context.CallId;
import io.acaciafs.namespace.context.CommitNotes.LostName;
import io.acaciafs.namespace.record.FormerDirectory;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.RetryEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes what repetitions of calls look for, in the transaction of one attempt: answers, and where
 * the store is spread the directories that lost their names, with the index rows by which {@code
 * RetryExpiry} finds both. Used by one thread, as its transaction.
 */
final class RetryRows {
  private final Transaction transaction;
  private final RetryCache cache;
  private List<RetryHints.Indexed> newlyIndexed = List.of();

  RetryRows(Transaction transaction, RetryCache cache) {
    this.transaction = transaction;
    this.cache = cache;
  }

  /** Where the answer to a call lies. */
  Key key(Locator directory, int bucket, CallId call) {
    return cache.isAlone()
        ? NamespaceKeys.answer(call.clientId(), call.callId())
        : keyIn(directory, bucket, call);
  }

  /** Where it lies in a directory. */
  static Key keyIn(Locator directory, int bucket, CallId call) {
    return NamespaceKeys.retry(directory, bucket, call.clientId(), call.callId());
  }

  void keepAnswer(Locator directory, int bucket, CallId call, long answer) {
    if (!cache.isAlone()) {
      index(directory, bucket);
    }
    transaction.put(key(directory, bucket, call), new RetryEntry(answer, cache.nowMs()).encode());
  }

  /** Lets repetitions of calls that name these directories still find them. */
  void keepFormer(List<LostName> lostNames) {
    if (cache.isAlone()) {
      return;
    }
    for (LostName lost : lostNames) {
      Locator parent = NamespaceKeys.directoryOf(lost.entry());
      int bucket = NamespaceKeys.bucketOf(lost.entry());
      index(parent, bucket);
      transaction.put(
          NamespaceKeys.formerDirectory(
              parent, bucket, NamespaceKeys.nameOf(lost.entry()), lost.directory().locator()),
          new FormerDirectory(lost.directory().buckets(), cache.nowMs()).encode());
    }
  }

  private void index(Locator directory, int bucket) {
    RetryHints.Indexed index =
        new RetryHints.Indexed(NamespaceKeys.beginOfRetries(cache.nowMs()), directory, bucket);
    if (!cache.hints().isIndexed(index) && !newlyIndexed.contains(index)) {
      // All that is under way when a while begins does so, in every process.
      transaction.putIndexIfAbsent(
          NamespaceKeys.retries(index.timeMs(), index.directory(), index.bucket()));
      if (newlyIndexed.isEmpty()) {
        newlyIndexed = new ArrayList<>();
      }
      newlyIndexed.add(index);
    }
  }

  /** What the attempt wrote is committed. */
  void committed() {
    newlyIndexed.forEach(cache.hints()::noteIndexed);
  }
}
