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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A method as one server serves it: with its counters and the failures that it has logged. */
public final class ServedMethod {
  private static final Logger LOG = LoggerFactory.getLogger(ServedMethod.class);

  private final String protocol;
  private final String name;
  private final MethodHandler handler;
  private final Parser<? extends Message> parser;
  private final RpcMetrics.MethodCounters counters;
  private final RequestCheck check;
  private final CallListener listener;
  private final SlowCalls slowCalls;
  private final Set<Class<?>> loggedFailures = ConcurrentHashMap.newKeySet();

  /**
   * @param listener null: nobody
   * @param slowCalls null: they are not looked for
   */
  public ServedMethod(
      String protocol,
      RpcProtocol.Method method,
      RequestCheck check,
      RpcMetrics.MethodCounters counters,
      CallListener listener,
      SlowCalls slowCalls) {
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
   * @param bytes what there is to read at most
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
   * @param reply null if it failed, or if it got an earlier call's reply
   * @param failure null if it was answered
   */
  public void ended(TimedCall call, Message reply, Throwable failure) {
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
   * What callers may expect is the caller's business, so debug. A failure that looks like our bug
   * is logged with its stack once a kind, for a busy method would flood the log.
   *
   * @param refusals classes of failures that are part of normal work
   */
  public void logFailure(
      TimedCall call, Throwable failure, Set<Class<? extends Throwable>> refusals) {
    if (isUnexpected(failure, refusals) && loggedFailures.add(failure.getClass())) {
      LOG.warn("Method failed unexpectedly: method={} call={}", name, call, failure);
    } else {
      LOG.debug("Method failed: method={} call={}", name, call, failure);
    }
  }

  static boolean isUnexpected(Throwable failure, Set<Class<? extends Throwable>> refusals) {
    return (failure instanceof RuntimeException || failure instanceof Error)
        && !(failure instanceof UnsupportedOperationException)
        && !refusals.contains(failure.getClass());
  }
}
