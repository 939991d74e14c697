package io.acaciafs.kv.run;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Transactions that one thread has under way: up to a limit, past which it waits for all of them.
 * Used by one thread.
 */
public final class InFlight {
  private static final int LIMIT = 1000;
  private static final long WAIT_SECONDS = 120;

  private final TransactionRunner runner;
  private final List<CompletableFuture<Void>> futures = new ArrayList<>();

  public InFlight(TransactionRunner runner) {
    this.runner = runner;
  }

  public void submit(Operation<Void, ?> operation) throws IOException {
    submit(operation, nothing -> {});
  }

  /**
   * @param durable gets the result once it is durable
   */
  public <T> void submit(Operation<T, ?> operation, Consumer<T> durable) throws IOException {
    add(() -> runner.submit(operation).thenAccept(durable));
  }

  /**
   * One more.
   *
   * @param begin begins it, when it is its turn
   */
  public void add(Supplier<CompletableFuture<Void>> begin) throws IOException {
    if (futures.size() >= LIMIT) {
      await();
    }
    futures.add(begin.get());
  }

  /**
   * Returns when all are durable.
   *
   * @throws IOException when one failed
   */
  public void await() throws IOException {
    join(CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)));
    futures.clear();
  }

  /**
   * Blocks the thread until a change is durable.
   *
   * @throws IOException when it failed or takes too long
   */
  public static void join(CompletableFuture<Void> change) throws IOException {
    try {
      change.get(WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IOException("A change could not be stored", e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("The store did not answer in " + WAIT_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while changes were stored");
    }
  }
}
