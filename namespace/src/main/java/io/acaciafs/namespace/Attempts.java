package io.acaciafs.namespace;

import io.acaciafs.kv.Operation;
import io.acaciafs.kv.Transaction;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/**
 * An operation from its first attempt to its answer: what it does as a transaction, and what is
 * noted once that is committed. Used by one thread at a time.
 */
final class Attempts<T> implements Operation<Attempts.Outcome<T>, IOException> {
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

  /** The answer to the caller, when it is known how the transaction ended. */
  CompletableFuture<T> answer(CompletableFuture<Outcome<T>> committed) {
    if (committed.isDone() && !committed.isCompletedExceptionally()) {
      Outcome<T> outcome = committed.join();
      note(outcome);
      return outcome.refusal() == null
          ? CompletableFuture.completedFuture(outcome.value())
          : CompletableFuture.failedFuture(outcome.refusal());
    }
    CompletableFuture<T> answer = new CompletableFuture<>();
    committed.whenComplete(
        (outcome, failure) -> {
          if (failure != null) {
            hold.release();
            answer.completeExceptionally(failure);
          } else {
            note(outcome);
            if (outcome.refusal() == null) {
              answer.complete(outcome.value());
            } else {
              answer.completeExceptionally(outcome.refusal());
            }
          }
        });
    return answer;
  }

  /** The operation is committed. */
  private void note(Outcome<T> outcome) {
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
  }
}
