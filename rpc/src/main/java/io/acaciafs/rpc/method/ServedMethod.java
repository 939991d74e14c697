package io.acaciafs.rpc.method;

import io.acaciafs.rpc.codec.Delimited;
import io.acaciafs.rpc.metrics.RpcMetrics;
import io.acaciafs.rpc.metrics.SlowCalls;
import io.acaciafs.rpc.protocol.CallListener;
import io.acaciafs.rpc.protocol.MethodHandler;
import io.acaciafs.rpc.protocol.RequestCheck;
import io.acaciafs.rpc.protocol.RpcProtocol;
import io.acaciafs.rpc.protocol.TimedCall;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.Parser;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A method of one server, with its counters and its listener. Safe for use by many threads. */
public final class ServedMethod {
  private static final Logger LOG = LoggerFactory.getLogger(ServedMethod.class);

  private final String protocol;
  private final String name;
  private final MethodHandler handler;
  private final Parser<? extends Message> parser;
  private final RpcMetrics.MethodCounters counters;
  private final RequestCheck check;
  private final @Nullable CallListener listener;
  private final @Nullable SlowCalls slowCalls;
  private final Set<Class<?>> loggedFailures = ConcurrentHashMap.newKeySet();

  /**
   * @param listener gets the calls that end; null: none
   * @param slowCalls gets the calls that end; null: the log of slow calls is off
   */
  public ServedMethod(
      String protocol,
      RpcProtocol.Method method,
      RequestCheck check,
      RpcMetrics.MethodCounters counters,
      @Nullable CallListener listener,
      @Nullable SlowCalls slowCalls) {
    this.protocol = protocol;
    this.name = method.name();
    this.handler = method.handler();
    this.parser = method.requestPrototype().getParserForType();
    this.check = check;
    this.counters = counters;
    this.listener = listener;
    this.slowCalls = slowCalls;
  }

  public String protocol() {
    return protocol;
  }

  public String name() {
    return name;
  }

  public MethodHandler handler() {
    return handler;
  }

  /**
   * Parses a request.
   *
   * @param bytes upper bound of the request's length
   */
  public Message parse(CodedInputStream in, int bytes) throws IOException {
    Message request = Delimited.read(in, parser);
    if (bytes > RequestCheck.SMALL_BYTES) {
      check.check(request);
    }
    return request;
  }

  /**
   * A call has ended.
   *
   * @param reply null if the call failed, or if its reply came from the cache
   * @param failure null if the call succeeded
   */
  public void ended(TimedCall call, @Nullable Message reply, @Nullable Throwable failure) {
    long nowNanos = System.nanoTime();
    counters.answered(nowNanos - call.startedNanos(), failure != null);
    if (slowCalls != null) {
      slowCalls.ended(call, nowNanos);
    }
    if (listener != null) {
      listener.ended(call, reply, failure);
    }
  }

  /** The reply cache had no valid reply to a call. */
  public void cacheMissed() {
    counters.missed();
  }

  /**
   * Logs a failure. Failures that callers expect are logged on the level debug. The first failure
   * of each other class, which may be a bug of the server, is a warning with its stack trace;
   * further ones would flood the log.
   *
   * @param expected classes of failures that callers expect
   */
  public void logFailure(
      TimedCall call, Throwable failure, Set<Class<? extends Throwable>> expected) {
    if (isUnexpected(failure, expected) && loggedFailures.add(failure.getClass())) {
      LOG.warn("Method failed unexpectedly: method={} call={}", name, call, failure);
    } else {
      LOG.debug("Method failed: method={} call={}", name, call, failure);
    }
  }

  static boolean isUnexpected(Throwable failure, Set<Class<? extends Throwable>> expected) {
    return (failure instanceof RuntimeException || failure instanceof Error)
        && !(failure instanceof UnsupportedOperationException)
        && !expected.contains(failure.getClass());
  }
}
