package io.acaciafs.namespace.run;

import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.WouldBlockException;
import io.acaciafs.kv.run.Operation;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.context.CommitNotes;
import io.acaciafs.namespace.context.NamespaceContext;
import io.acaciafs.namespace.context.OperationContext;
import io.acaciafs.namespace.quota.QuotaReservations;
import io.acaciafs.namespace.tree.SharedState;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The whole life of an operation, from the call to its answer.
 *
 * <ol>
 *   <li><b>Directory leases.</b> Where several processes run operations on one store, {@link
 *       LeasedExecution} begins the run: it may rest on directories whose leases this process
 *       holds, and need not guard them. {@link #submit} and {@link #readNonBlocking} begin here.
 *   <li><b>Attempt.</b> The {@link TransactionRunner} begins a transaction and gives it to {@link
 *       Run#run}, on the thread of the caller the first time.
 *   <li><b>Idempotency.</b> For an {@link AtMostOnce} operation, {@link RetryEntries} looks for the
 *       answer of an earlier attempt of the same call. If there is one, that is the result. If not,
 *       this attempt writes its answer together with its effect.
 *   <li><b>The operation</b> reads, guards and writes through its {@link Tree}. What it throws ends
 *       the life, with nothing written: an {@link IOException} is the answer to the client.
 *   <li><b>Before the commit</b> ({@link Run#prepareCommit}): quotas have room, and reserve it; the
 *       directories that change are announced to other processes; a lease is renewed that has to be
 *       fresh when others see the file.
 *   <li><b>Commit</b>, by the {@link TransactionRunner}. A conflict goes back to step 2, after a
 *       pause and a limited number of times: {@link Run#run} gives back what the attempt before has
 *       reserved. An operation that only reads has nothing to commit.
 *   <li><b>After the commit</b> ({@link Run#committed}): reservations are given back, leases
 *       renewed, caches told, and the result returned, or the refusal thrown that the operation
 *       wanted to take effect with its writes. After a failure only reservations are given back
 *       ({@link Run#failed}).
 *   <li><b>Directory leases again.</b> {@link LeasedExecution} runs the operation again from step
 *       2, under guards, if a lease that it rested on was revoked meanwhile, or once a change of
 *       directories is announced. An outcome that is not known keeps the directories revoked.
 * </ol>
 *
 * <p>The future fails with what the operation threw, with {@link io.acaciafs.kv.ConflictException}
 * when others were always faster, or with {@link io.acaciafs.kv.StoreException}; then the outcome
 * may be unknown. Safe for use by many threads.
 */
public final class OperationRunner {
  private final TransactionRunner transactions;
  private final NamespaceContext namespace;
  private final SharedState state;
  private final RetryCache retryCache;
  private final QuotaReservations quotaReservations = new QuotaReservations();

  /** Null where every operation guards the directories that it depends on. */
  private final @Nullable LeasedExecution shared;

  /**
   * @param shared null where every operation guards the directories that it depends on
   */
  public OperationRunner(
      TransactionRunner transactions,
      NamespaceContext namespace,
      SharedState state,
      RetryCache retryCache,
      @Nullable LeasedExecution shared) {
    this.transactions = transactions;
    this.namespace = namespace;
    this.state = state;
    this.retryCache = retryCache;
    this.shared = shared;
  }

  /** Runs an operation on this thread, which may wait for the store. */
  public <T> CompletableFuture<T> submit(Caller caller, NamespaceOperation<T> operation) {
    AnsweredOnce once = AnsweredOnce.of(caller, operation);
    if (shared == null) {
      return start(caller, operation, LeasedExecution.ALONE, once);
    }
    return operation instanceof ReadOperation
        ? shared.read(run -> start(caller, operation, run, once))
        : shared.write(run -> start(caller, operation, run, once));
  }

  private <T> CompletableFuture<T> start(
      Caller caller,
      NamespaceOperation<T> operation,
      LeasedExecution.Run leases,
      @Nullable AnsweredOnce once) {
    Run<T> run = new Run<>(caller, operation, leases, once);
    return operation instanceof ReadOperation
        ? transactions.read(run, run)
        : transactions.submit(run, run);
  }

  /**
   * Runs an operation on this thread, which must not wait.
   *
   * @param here goes on when something has come that was missing, and must not wait either
   * @return fails with {@link WouldBlockException} where the operation has to be run by {@link
   *     #submit}
   */
  public <T> CompletableFuture<T> readNonBlocking(
      Caller caller, ReadOperation<T> operation, Executor here) {
    return shared == null
        ? startNonBlocking(caller, operation, LeasedExecution.ALONE, here)
        : shared.read(
            run -> startNonBlocking(caller, operation, run, here),
            () -> CompletableFuture.failedFuture(new WouldBlockException()));
  }

  private <T> CompletableFuture<T> startNonBlocking(
      Caller caller, ReadOperation<T> operation, LeasedExecution.Run leases, Executor here) {
    Run<T> run = new Run<>(caller, operation, leases, null);
    return transactions.readNonBlocking(run, run, here);
  }

  /** What takes effect with the commit of an attempt. */
  private record Outcome<T>(@Nullable T value, CommitNotes notes, RetryRows retryRows) {}

  /** One run of an operation: its attempts up to the commit. Used by one thread at a time. */
  private final class Run<T>
      implements Operation<Outcome<T>, IOException>, TransactionRunner.Conclusion<Outcome<T>, T> {
    private final Caller caller;
    private final NamespaceOperation<T> operation;
    private final LeasedExecution.Run leases;

    /** Null for what may take effect twice. */
    private final @Nullable AnsweredOnce once;

    private final QuotaReservations.Hold hold = quotaReservations.hold();

    /** The first attempt alone: after a conflict an operation reads from the store. */
    private boolean recalls;

    private Run(
        Caller caller,
        NamespaceOperation<T> operation,
        LeasedExecution.Run leases,
        @Nullable AnsweredOnce once) {
      this.caller = caller;
      this.operation = operation;
      this.leases = leases;
      this.once = once;
      this.recalls = !(operation instanceof ReadOperation);
    }

    @Override
    public Outcome<T> run(Transaction transaction) throws IOException {
      hold.release(); // of an attempt that met a conflict
      OperationContext context =
          new OperationContext(transaction, caller, namespace, leases.begin(transaction), recalls);
      recalls = false;
      Tree tree = new Tree(context, state);
      RetryRows retryRows = new RetryRows(transaction, retryCache);
      T value =
          once == null
              ? operation.run(tree)
              : new RetryEntries(tree, once, retryCache, retryRows)
                  .runOnce((AtMostOnce<T>) operation);
      retryRows.keepFormer(tree.notes().lostNames());
      prepareCommit(tree, transaction);
      return new Outcome<>(value, tree.notes(), retryRows);
    }

    private void prepareCommit(Tree tree, Transaction transaction) throws IOException {
      CommitNotes notes = tree.notes();
      if (caller.onSubject() != null && notes.subject() != null) {
        caller.onSubject().accept(notes.subject().attributes());
      }
      tree.quotas().settle(hold);
      leases.beforeCommit(notes.changedDirectories(), transaction);
      if (notes.renewedBeforeCommit() != null) {
        state.leases().renew(notes.renewedBeforeCommit());
      }
    }

    @Override
    public @Nullable T committed(Outcome<T> outcome) throws IOException {
      hold.release();
      CommitNotes notes = outcome.notes();
      if (notes.renewedAfterCommit() != null) {
        state.leases().renew(notes.renewedAfterCommit());
      }
      outcome.retryRows().committed();
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
}
