package io.acaciafs.rpc.metrics;

import io.acaciafs.rpc.protocol.TimedCall;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs calls that take much longer than the others, with the times of their stages. A call is slow
 * if it takes longer than the mean of at least 1024 calls plus three standard deviations, and
 * longer than the threshold. Source of the rule: {@code Server.logSlowRpcCalls}. For many threads.
 */
public final class SlowCalls {
  private static final Logger LOG = LoggerFactory.getLogger(SlowCalls.class);
  private static final int FEWEST_CALLS = 1024;
  private static final int DEVIATIONS = 3;

  private final long thresholdNanos;
  private final RpcMetrics metrics;
  private long calls;
  private double meanNanos;
  private double squares;

  /**
   * @param metrics counts them
   */
  public SlowCalls(long thresholdMs, RpcMetrics metrics) {
    this.metrics = metrics;
    this.thresholdNanos = TimeUnit.MILLISECONDS.toNanos(thresholdMs);
  }

  /** A call has ended. */
  public void ended(TimedCall call, long nowNanos) {
    long nanos = nowNanos - call.runNanos();
    if (isSlow(nanos)) {
      metrics.slowCall();
      long returnedNanos = call.returnedNanos() == 0 ? nowNanos : call.returnedNanos();
      LOG.warn(
          "Slow RPC : method={} processingUs={} queuedUs={} runningUs={} waitingUs={} attempts={}"
              + " thresholdMs={} call={}",
          call.method(),
          micros(nanos),
          micros(call.runNanos() - call.receivedNanos()),
          micros(returnedNanos - call.runNanos()),
          micros(nowNanos - returnedNanos),
          call.attempts(),
          TimeUnit.NANOSECONDS.toMillis(thresholdNanos),
          call);
    }
  }

  private static long micros(long nanos) {
    return TimeUnit.NANOSECONDS.toMicros(Math.max(0, nanos));
  }

  /** Compares a call with the calls so far, and adds it to them. */
  synchronized boolean isSlow(long nanos) {
    double limit = meanNanos + DEVIATIONS * Math.sqrt(calls == 0 ? 0 : squares / calls);
    boolean isSlow = calls > FEWEST_CALLS && nanos > limit && nanos > thresholdNanos;
    calls++;
    double distance = nanos - meanNanos;
    meanNanos += distance / calls;
    squares += distance * (nanos - meanNanos);
    return isSlow;
  }
}
