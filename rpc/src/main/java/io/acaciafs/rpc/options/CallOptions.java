package io.acaciafs.rpc.options;

import static io.acaciafs.rpc.options.Ranges.atLeast;

import java.util.Set;

/**
 * How a server runs and answers calls. Immutable.
 *
 * @param mayWait whether any method may wait before it returns. Then all run on workers, but those
 *     with cacheable replies only if they fail with {@code MustWaitException} on a network thread
 * @param replyCacheBytes approximate memory for cached replies; 0: the cache is off
 * @param closeGraceMs how long calls in flight may take when the server closes
 * @param slowCallLog whether the server logs calls that take much longer than the average
 * @param slowCallThresholdMs calls that took less are never logged as slow
 * @param terseExceptions the server sends exceptions of exactly these classes, not of subclasses,
 *     without their stack traces
 */
public record CallOptions(
    boolean mayWait,
    long replyCacheBytes,
    long closeGraceMs,
    boolean slowCallLog,
    long slowCallThresholdMs,
    Set<Class<? extends Throwable>> terseExceptions) {
  public CallOptions {
    atLeast(0, replyCacheBytes, "replyCacheBytes");
    atLeast(0, closeGraceMs, "closeGraceMs");
    terseExceptions = Set.copyOf(terseExceptions);
  }
}
