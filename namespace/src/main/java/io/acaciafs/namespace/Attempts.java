package io.acaciafs.namespace;

import io.acaciafs.kv.Operation;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.TransactionRunner;
import java.io.IOException;

/**
 * An operation from its first attempt to its answer: what it does as a transaction, and what is
 * noted once that is committed. Used by one thread at a time.
 */
final class Attempts<T>
    implements Operation<Attempts.Outcome<T>, IOException>,
        TransactionRunner.Conclusion<Attempts.Outcome<T>, T> {
  private final NamespaceContext namespace;
  private final SharedState state;
  private final RetryCache retryCache;
  private final Caller caller;
  private final NamespaceOperation<T> operation;
  private final SharedRuns.Run shared;
  private final QuotaReservations.Hold hold;

  /** Once only: who met a conflict looks, also where he found it out himself. */
  private boolean recalls;

  Attempts(
      NamespaceContext namespace,
      SharedState state,
      RetryCache retryCache,
      QuotaReservations quotaReservations,
      Caller caller,
      NamespaceOperation<T> operation,
      SharedRuns.Run shared) {
    this.namespace = namespace;
    this.state = state;
    this.retryCache = retryCache;
    this.caller = caller;
    this.operation = operation;
    this.shared = shared;
    this.hold = quotaReservations.hold();
    this.recalls = !(operation instanceof ReadOperation);
  }

  /** What takes effect with the commit of an attempt. */
  record Outcome<T>(T value, CommitNotes notes, Repetitions.Indexed indexed) {}

  @Override
  public Outcome<T> run(Transaction transaction) throws IOException {
    hold.release(); // of an attempt that met a conflict
    OperationContext context =
        new OperationContext(transaction, caller, namespace, shared.begin(transaction), recalls);
    recalls = false;
    Tree tree = new Tree(context, state);
    RetryEntries answers = answersFor(tree);
    T value = answers == null ? operation.run(tree) : answers.runOnce((AtMostOnce<T>) operation);
    CommitNotes notes = tree.notes();
    if (caller.onSubject() != null && notes.subject() != null) {
      caller.onSubject().accept(notes.subject().attributes());
    }
    tree.quotas().settle(hold);
    shared.beforeCommit(notes.changedDirectories(), transaction);
    if (notes.renewedBeforeCommit() != null) {
      state.leases().renew(notes.renewedBeforeCommit());
    }
    return new Outcome<>(value, notes, answers == null ? null : answers.newlyIndexed());
  }

  /** Null for an operation that may take effect twice, and for a call without an id. */
  private RetryEntries answersFor(Tree tree) {
    CallId call = caller.call();
    return operation instanceof AtMostOnce && call != null
        ? new RetryEntries(tree, call, retryCache, !namespace.hasCompany())
        : null;
  }

  @Override
  public T committed(Outcome<T> outcome) throws IOException {
    hold.release();
    CommitNotes notes = outcome.notes();
    if (notes.renewedAfterCommit() != null) {
      state.leases().renew(notes.renewedAfterCommit());
    }
    if (outcome.indexed() != null) {
      retryCache.repetitions().noteIndexed(outcome.indexed());
    }
    if (notes.beganRecovery()) {
      state.leases().recoveryBegan();
    }
    if (notes.refusal() != null) {
      throw notes.refusal();
    }
    return outcome.value();
  }

  @Override
  public void failed() {
    hold.release();
  }
}
