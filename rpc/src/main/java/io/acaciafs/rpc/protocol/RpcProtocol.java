package io.acaciafs.rpc.protocol;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;

/**
 * A named, versioned protocol, with a handler for each method of its protobuf service. Immutable;
 * several servers may serve it.
 */
public final class RpcProtocol {
  private final String name;
  private final long version;
  private final Map<String, Method> methods;
  private final Set<String> answeredMethodNames;
  private final RequestCheck check;

  private RpcProtocol(
      String name,
      long version,
      Map<String, Method> methods,
      Set<String> answeredMethodNames,
      RequestCheck check) {
    this.name = name;
    this.version = version;
    this.methods = Map.copyOf(methods);
    this.answeredMethodNames = Set.copyOf(answeredMethodNames);
    this.check = Objects.requireNonNull(check);
  }

  /** As on the wire, e.g. {@code org.apache.hadoop.hdfs.protocol.ClientProtocol}. */
  public String name() {
    return name;
  }

  public long version() {
    return version;
  }

  /** The names of all methods of the service, also of those without a handler. */
  public Set<String> methodNames() {
    return methods.keySet();
  }

  /** The names of the methods that have a handler of their own. */
  public Set<String> answeredMethodNames() {
    return answeredMethodNames;
  }

  /** The same protocol with a check of large requests. */
  public RpcProtocol checkedBy(RequestCheck check) {
    return new RpcProtocol(name, version, methods, answeredMethodNames, check);
  }

  /**
   * The same protocol, where some methods are run another way.
   *
   * @param methodNames methods that are not answered by a future stay as they are
   */
  public RpcProtocol runBy(
      Set<String> methodNames, UnaryOperator<AsyncRpcMethod<Message>> otherWay) {
    Map<String, Method> changed = new HashMap<>(methods);
    for (String each : methodNames) {
      Method method = changed.get(each);
      if (method != null && method.handler() instanceof MethodHandler.ByFuture later) {
        MethodHandler handler = new MethodHandler.ByFuture(otherWay.apply(later.method()));
        changed.put(each, new Method(each, method.requestPrototype(), handler));
      }
    }
    return new RpcProtocol(name, version, changed, answeredMethodNames, check);
  }

  public RequestCheck check() {
    return check;
  }

  public Map<String, Method> methods() {
    return methods;
  }

  /**
   * @param name as on the wire
   * @param version as on the wire; 1 for all of HDFS
   * @param service names the methods and their requests; never called, so {@code
   *     XyzService.newReflectiveBlockingService(null)} will do
   */
  public static Builder builder(String name, long version, BlockingService service) {
    return new Builder(name, version, service);
  }

  /** One method. */
  public record Method(String name, Message requestPrototype, MethodHandler handler) {}

  /** Collects methods; not for use by several threads. */
  public static final class Builder {
    private final String name;
    private final long version;
    private final Map<String, Message> prototypes = new HashMap<>();
    private final Map<String, MethodHandler> handlers = new HashMap<>();
    private RpcMethod<Message> otherwise;
    private @Nullable Admission admission;

    private Builder(String name, long version, BlockingService service) {
      this.name = Objects.requireNonNull(name);
      this.version = version;
      for (MethodDescriptor method : service.getDescriptorForType().getMethods()) {
        prototypes.put(method.getName(), service.getRequestPrototype(method));
      }
      otherwise =
          (call, request) -> {
            throw new UnsupportedOperationException(call.method() + " is not supported");
          };
    }

    /** A method that is answered on the network thread and never waits. */
    public <Q extends Message> Builder method(
        String methodName, Class<Q> request, RpcMethod<Q> method) {
      RpcMethod<Message> untyped = (call, message) -> method.call(call, request.cast(message));
      return add(methodName, request, new MethodHandler.OnNetworkThread(untyped));
    }

    /** A method that is answered when its future completes, and holds no thread until then. */
    public <Q extends Message> Builder asyncMethod(
        String methodName, Class<Q> request, AsyncRpcMethod<Q> method) {
      AsyncRpcMethod<Message> untyped = (call, message) -> method.call(call, request.cast(message));
      return add(methodName, request, new MethodHandler.ByFuture(untyped));
    }

    /**
     * A read-only method like an {@link #asyncMethod}, whose replies may answer later calls of the
     * same user with the same request.
     *
     * @param perClient whether a reply answers only calls from the same address
     */
    public <Q extends Message> Builder cacheableMethod(
        String methodName, Class<Q> request, boolean perClient, CacheableRpcMethod<Q> method) {
      CacheableRpcMethod<Message> untyped =
          (call, message) -> method.call(call, request.cast(message));
      return add(methodName, request, new MethodHandler.Cacheable(untyped, perClient));
    }

    /** A method that may wait, and so runs on a worker. */
    public <Q extends Message> Builder blockingMethod(
        String methodName, Class<Q> request, RpcMethod<Q> method) {
      RpcMethod<Message> untyped = (call, message) -> method.call(call, request.cast(message));
      return add(methodName, request, new MethodHandler.OnWorker(untyped));
    }

    /**
     * Sets the handler, on the network thread, of all methods without one. By default they throw
     * {@code UnsupportedOperationException}, "NAME is not supported".
     */
    public Builder otherwise(RpcMethod<Message> method) {
      otherwise = Objects.requireNonNull(method);
      return this;
    }

    /** Sets the admission of all methods with a handler to which it applies. */
    public Builder admission(Admission value) {
      admission = Objects.requireNonNull(value);
      return this;
    }

    private Builder add(
        String methodName, Class<? extends Message> request, MethodHandler handler) {
      Message prototype = prototypes.get(methodName);
      if (prototype == null) {
        throw new IllegalArgumentException(name + " has no method " + methodName);
      }
      if (!request.isInstance(prototype)) {
        throw new IllegalArgumentException(
            methodName + " takes " + prototype.getClass().getName() + ", not " + request.getName());
      }
      if (handlers.put(methodName, handler) != null) {
        throw new IllegalArgumentException(methodName + " is given twice");
      }
      return this;
    }

    public RpcProtocol build() {
      Map<String, Method> methods = new HashMap<>();
      MethodHandler rest = new MethodHandler.OnNetworkThread(otherwise);
      prototypes.forEach(
          (methodName, prototype) ->
              methods.put(
                  methodName,
                  new Method(
                      methodName,
                      prototype,
                      admitted(methodName, handlers.get(methodName), rest))));
      return new RpcProtocol(name, version, methods, handlers.keySet(), RequestCheck.NONE);
    }

    private MethodHandler admitted(
        String methodName, @Nullable MethodHandler handler, MethodHandler rest) {
      if (handler == null) {
        return rest;
      }
      return admission != null && admission.appliesTo(methodName)
          ? new AdmittedHandlers(admission).of(handler)
          : handler;
    }
  }
}
