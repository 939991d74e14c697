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
  private final NamespaceContext context;
  private final Caller caller;
  private final NamespaceOperation<T> operation;
  private final SharedRuns.Run shared;
  private final QuotaReservations.Hold hold;

  /** Once only: who met a conflict looks, also where he found it out himself. */
  private boolean recalls;

  Attempts(
      NamespaceContext context,
      Caller caller,
      NamespaceOperation<T> operation,
      SharedRuns.Run shared) {
    this.context = context;
    this.caller = caller;
    this.operation = operation;
    this.shared = shared;
    this.hold = context.quotaReservations().hold();
    this.recalls = !(operation instanceof ReadOperation);
  }

  /** What takes effect with the commit of an attempt. */
  record Outcome<T>(
      T value,
      IOException refusal,
      String renewed,
      boolean beganRecovery,
      Repetitions.Indexed indexed) {}

  @Override
  public Outcome<T> run(Transaction transaction) throws IOException {
    hold.release(); // of an attempt that met a conflict
    Tree tree = new Tree(transaction, caller, context, shared.begin(transaction), recalls);
    recalls = false;
    T value = run(tree);
    if (caller.onSubject() != null && tree.subject() != null) {
      caller.onSubject().accept(tree.subject().attributes());
    }
    tree.quotas().settle(hold);
    shared.beforeCommit(tree.changedDirectories(), transaction);
    if (tree.renewedBeforeCommit() != null) {
      context.leases().renew(tree.renewedBeforeCommit());
    }
    return new Outcome<>(
        value,
        tree.refusalAfterCommit(),
        tree.renewedAfterCommit(),
        tree.beganRecovery(),
        tree.newlyIndexed());
  }

  private T run(Tree tree) throws IOException {
    CallId call = caller.call();
    return operation instanceof AtMostOnce<T> once && call != null
        ? RetryEntries.runOnce(once, tree, call)
        : operation.run(tree);
  }

  @Override
  public T committed(Outcome<T> outcome) throws IOException {
    hold.release();
    if (outcome.renewed() != null) {
      context.leases().renew(outcome.renewed());
    }
    if (outcome.indexed() != null) {
      context.repetitions().noteIndexed(outcome.indexed());
    }
    if (outcome.beganRecovery()) {
      context.leases().recoveryBegan();
    }
    if (outcome.refusal() != null) {
      throw outcome.refusal();
    }
    return outcome.value();
  }

  @Override
  public void failed() {
    hold.release();
  }
}
