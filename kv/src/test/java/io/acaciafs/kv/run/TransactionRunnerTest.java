package io.acaciafs.kv.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.WouldBlockException;
import io.acaciafs.kv.memory.Fault;
import io.acaciafs.kv.memory.Faults;
import io.acaciafs.kv.memory.MemoryStore;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TransactionRunnerTest {
  private static final Key ROW = new Key(Table.ofSingleRows("rows"), new byte[] {1});
  private static final byte[] ONE = {1};
  private static final byte[] TWO = {2};

  private final Faults faults = Faults.onDemand();
  private final MemoryStore store = new MemoryStore(faults);
  private final PauseRecorder retries = new PauseRecorder();
  private final TransactionRunner runner = new TransactionRunner(store, retries, new Random(1));
  private final AtomicInteger runs = new AtomicInteger();

  @AfterEach
  void endExecutor() {
    retries.shutdownNow();
  }

  @Test
  void theResultComesOnceItIsDurable() {
    faults.plan(Fault.DELAY);
    CompletableFuture<String> result =
        runner.submit(
            transaction -> {
              transaction.put(ROW, ONE);
              return "done";
            });
    assertThat(result).isNotDone();
    store.makeDurable();
    assertThat(result).isCompletedWithValue("done");
    assertThat(runner.conflicts()).isZero();
  }

  @Test
  void aConflictRunsTheOperationAgain() throws Exception {
    faults.plan(Fault.CONFLICT, Fault.CONFLICT);
    CompletableFuture<Integer> result = runner.submit(this::putAndCount);
    assertThat(result.get(60, TimeUnit.SECONDS)).isEqualTo(3);
    assertThat(runner.conflicts()).isEqualTo(2);
    assertThat(store.get(ROW)).isEqualTo(ONE);
  }

  @Test
  void pausesGrowAndStayBounded() {
    Fault[] always = new Fault[TransactionRunner.MAX_ATTEMPTS];
    Arrays.fill(always, Fault.CONFLICT);
    faults.plan(always);
    assertThat(failureOf(runner.submit(this::putAndCount))).isInstanceOf(ConflictException.class);
    assertThat(runs).hasValue(TransactionRunner.MAX_ATTEMPTS);
    assertThat(store.get(ROW)).isNull();
    List<Long> pauses = retries.pausesMicros;
    assertThat(pauses).hasSize(TransactionRunner.MAX_ATTEMPTS - 1);
    assertThat(pauses).allMatch(pause -> pause >= 50 && pause <= 100_000);
    assertThat(pauses.get(0)).isLessThanOrEqualTo(100);
    assertThat(pauses.get(pauses.size() - 1)).isGreaterThanOrEqualTo(50_000);
    assertThat(pauses.stream().mapToLong(Long::longValue).sum()).isLessThan(2_000_000);
  }

  @Test
  void aRefusalIsHandedOnAndNothingIsWritten() {
    IOException refusal = new IOException("no");
    CompletableFuture<Void> result =
        runner.submit(
            transaction -> {
              transaction.get(ROW);
              transaction.put(ROW, ONE);
              throw refusal;
            });
    assertThat(failureOf(result)).isSameAs(refusal);
    assertThat(store.get(ROW)).isNull();
  }

  @Test
  void aRefusalThatRestsOnAnOldReadIsNotHandedOn() throws Exception {
    CompletableFuture<Integer> result =
        runner.submit(
            transaction -> {
              if (transaction.get(ROW) != null) {
                return runs.incrementAndGet();
              }
              runs.incrementAndGet();
              change();
              throw new IOException("there is no such row");
            });
    assertThat(result.get(60, TimeUnit.SECONDS)).isEqualTo(2);
    assertThat(runner.conflicts()).isEqualTo(1);
  }

  /** Notes how transactions ended. */
  private static final class Ends implements TransactionRunner.Conclusion<Integer, String> {
    private final List<String> ends = new ArrayList<>();

    @Override
    public String committed(Integer runs) throws IOException {
      ends.add("committed");
      if (runs > 1) {
        throw new IOException("late");
      }
      return "run " + runs;
    }

    @Override
    public void failed() {
      ends.add("failed");
    }
  }

  @Test
  void aConclusionFollowsTheCommitAndMakesTheResult() {
    Ends ends = new Ends();
    faults.plan(Fault.DELAY);
    CompletableFuture<String> result = runner.submit(this::putAndCount, ends);
    assertThat(ends.ends).isEmpty();
    store.makeDurable();
    assertThat(result).isCompletedWithValue("run 1");
    assertThat(failureOf(runner.read(tx -> 2, ends))).hasMessage("late");
    assertThat(ends.ends).containsExactly("committed", "committed");
  }

  @Test
  void aConclusionIsToldOnceOfAFailure() {
    Ends ends = new Ends();
    faults.plan(Fault.LOST_REPLY);
    assertThat(failureOf(runner.submit(this::putAndCount, ends))).isNotNull();
    IOException refusal = new IOException("no");
    CompletableFuture<String> refused =
        runner.submit(
            transaction -> {
              throw refusal;
            },
            ends);
    assertThat(failureOf(refused)).isSameAs(refusal);
    assertThat(ends.ends).containsExactly("failed", "failed");
  }

  @Test
  void aLostReplyIsNotRunAgain() {
    faults.plan(Fault.LOST_REPLY);
    assertThat(failureOf(runner.submit(this::putAndCount))).isInstanceOf(StoreException.class);
    assertThat(runs).hasValue(1);
  }

  @Test
  void aClosedStoreFailsTheResult() {
    CompletableFuture<Void> duringTheRun =
        runner.submit(
            transaction -> {
              store.close();
              throw new IOException("cannot be validated");
            });
    assertThat(failureOf(duringTheRun)).isInstanceOf(StoreException.class);
    assertThat(failureOf(runner.submit(this::putAndCount))).isInstanceOf(StoreException.class);
  }

  @Test
  void anErrorReachesTheCallerThroughTheFuture() {
    AssertionError error = new AssertionError("broken");
    CompletableFuture<Void> result =
        runner.submit(
            transaction -> {
              throw error;
            });
    assertThat(failureOf(result)).isSameAs(error);
  }

  @Test
  void withoutAnExecutorAConflictFailsTheResult() {
    retries.shutdownNow();
    faults.plan(Fault.CONFLICT);
    assertThat(failureOf(runner.submit(this::putAndCount)))
        .isInstanceOf(RejectedExecutionException.class);
  }

  @Test
  void whatIsOnItsWayIsWaitedForOnNoThread() {
    CompletableFuture<Void> arrival = new CompletableFuture<>();
    List<Transaction> transactions = new ArrayList<>();
    Deque<Runnable> here = new ArrayDeque<>();
    CompletableFuture<Integer> result =
        runner.readNonBlocking(
            transaction -> {
              transactions.add(transaction);
              if (!arrival.isDone()) {
                throw new WouldBlockException(arrival);
              }
              return runs.incrementAndGet();
            },
            TransactionRunner.Conclusion.none(),
            here::add);
    assertThat(here).isEmpty();
    arrival.complete(null);
    assertThat(runs).hasValue(0);
    here.remove().run();
    assertThat(result).isCompletedWithValue(1);
    assertThat(transactions).hasSize(2);
    assertThat(transactions.get(1)).isSameAs(transactions.get(0));
  }

  @Test
  void whatDoesNotComeFailsTheResult() {
    StoreException failure = new StoreException("no answer");
    assertThat(failureOf(readWith(CompletableFuture.failedFuture(failure), Runnable::run)))
        .isSameAs(failure);
    RejectedExecutionException end = new RejectedExecutionException("the server is closed");
    assertThat(
            failureOf(
                readWith(
                    CompletableFuture.completedFuture(null),
                    task -> {
                      throw end;
                    })))
        .isSameAs(end);
  }

  private CompletableFuture<Void> readWith(CompletableFuture<Void> arrival, Executor here) {
    return runner.readNonBlocking(
        transaction -> {
          throw new WouldBlockException(arrival);
        },
        TransactionRunner.Conclusion.none(),
        here);
  }

  @Test
  void whoHasToWaitIsToldSo() {
    CompletableFuture<Void> result =
        runner.readNonBlocking(
            transaction -> {
              runs.incrementAndGet();
              throw new WouldBlockException();
            },
            TransactionRunner.Conclusion.none(),
            Runnable::run);
    assertThat(failureOf(result)).isInstanceOf(WouldBlockException.class);
    assertThat(runs).hasValue(1);
  }

  @Test
  void aConflictOfWhoDoesNotWaitRunsTheOperationAgain() throws Exception {
    CompletableFuture<Integer> result =
        runner.readNonBlocking(
            transaction -> {
              transaction.get(ROW);
              if (runs.incrementAndGet() == 1) {
                change();
              }
              return runs.get();
            },
            TransactionRunner.Conclusion.none(),
            Runnable::run);
    assertThat(result.get(60, TimeUnit.SECONDS)).isEqualTo(2);
  }

  private int putAndCount(Transaction transaction) {
    transaction.put(ROW, ONE);
    return runs.incrementAndGet();
  }

  private void change() {
    Transaction other = store.begin();
    other.put(ROW, TWO);
    assertThat(other.commit()).isCompleted();
  }

  private static Throwable failureOf(CompletableFuture<?> result) {
    assertThatThrownBy(() -> result.get(60, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class);
    return result.handle((value, failure) -> failure).join();
  }

  /** Notes the pauses and does not keep them. */
  private static final class PauseRecorder extends ScheduledThreadPoolExecutor {
    final List<Long> pausesMicros = new CopyOnWriteArrayList<>();

    PauseRecorder() {
      super(1);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
      pausesMicros.add(unit.toMicros(delay));
      return super.schedule(command, 0, unit);
    }
  }
}
