package io.acaciafs.bench.client;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * One network thread and what it records.
 *
 * @param recorder for that thread
 */
record NetworkThread(EventLoop loop, Recorder recorder) {
  private static final long ANSWER_LIMIT_MS = 30_000;

  /** Asks the recorder on its thread, and waits for the answer. */
  <T> T ask(Function<Recorder, T> question) throws IOException {
    Future<T> answer = loop.submit(() -> question.apply(recorder));
    try {
      return answer.get(ANSWER_LIMIT_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the load ran");
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("The load generator's own thread does not answer", e);
    }
  }
}
