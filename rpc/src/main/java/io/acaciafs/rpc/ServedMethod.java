package io.acaciafs.rpc;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.Parser;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A method as one server serves it: with its counters and the failures that it has logged. */
final class ServedMethod {
  private static final Logger LOG = LoggerFactory.getLogger(ServedMethod.class);

  private final String protocol;
  private final String name;
  private final RpcProtocol.Handler handler;
  private final Parser<? extends Message> parser;
  private final RpcMetrics.MethodCounters counters;
  private final Set<Class<?>> loggedFailures = ConcurrentHashMap.newKeySet();

  ServedMethod(String protocol, RpcProtocol.Method method, RpcMetrics.MethodCounters counters) {
    this.protocol = protocol;
    this.name = method.name();
    this.handler = method.handler();
    this.parser = method.requestPrototype().getParserForType();
    this.counters = counters;
  }

  String protocol() {
    return protocol;
  }

  String name() {
    return name;
  }

  RpcProtocol.Handler handler() {
    return handler;
  }

  Message parse(CodedInputStream in) throws IOException {
    return Delimited.read(in, parser);
  }

  void answered(long nanos, boolean failed) {
    counters.answered(nanos, failed);
  }

  /** No reply that was kept could be given. */
  void replyMade() {
    counters.made();
  }

  /**
   * What callers may expect is the caller's business, so debug. A failure that looks like our bug
   * is logged with its stack once a kind, for a busy method would flood the log.
   */
  void logFailure(InboundCall call, Throwable failure) {
    boolean unexpected =
        (failure instanceof RuntimeException && !(failure instanceof UnsupportedOperationException))
            || failure instanceof Error;
    if (unexpected && loggedFailures.add(failure.getClass())) {
      LOG.warn("Method failed unexpectedly: method={} call={}", name, call, failure);
    } else {
      LOG.debug("Method failed: method={} call={}", name, call, failure);
    }
  }
}
