package io.acaciafs.rpc.method;

import io.acaciafs.rpc.metrics.RpcMetrics;
import io.acaciafs.rpc.metrics.SlowCalls;
import io.acaciafs.rpc.protocol.CallListener;
import io.acaciafs.rpc.protocol.MethodHandler;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RpcNoSuchMethodException;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.ipc.RpcServerException;
import org.apache.hadoop.ipc.protobuf.ProtobufRpcEngine2Protos.RequestHeaderProto;
import org.jspecify.annotations.Nullable;

/** All methods that a server serves. Immutable. */
public final class MethodRegistry {
  private final Map<String, List<ServedProtocol>> protocols = new HashMap<>();
  private final MethodTable table;

  /** One version of a protocol. */
  private record ServedProtocol(long version, Map<String, ServedMethod> methods) {}

  /**
   * @param slowCalls gets all calls that end; null: the log of slow calls is off
   * @throws IllegalArgumentException if a version of a protocol is given twice
   */
  public MethodRegistry(
      List<RpcProtocol> protocols,
      RpcMetrics metrics,
      CallListener.Provider listeners,
      @Nullable SlowCalls slowCalls) {
    Map<RequestHeaderProto, ServedMethod> headers = new HashMap<>();
    for (RpcProtocol protocol : protocols) {
      String name = protocol.name();
      Map<String, ServedMethod> methods = new HashMap<>();
      for (RpcProtocol.Method method : protocol.methods().values()) {
        boolean isCacheable = method.handler() instanceof MethodHandler.Cacheable;
        ServedMethod served =
            new ServedMethod(
                name,
                method,
                protocol.check(),
                metrics.method(name, method.name(), isCacheable),
                listeners.of(name, method.name()),
                slowCalls);
        methods.put(method.name(), served);
        headers.put(header(protocol, method.name()), served);
      }
      List<ServedProtocol> versions =
          this.protocols.computeIfAbsent(name, key -> new ArrayList<>());
      if (versions.stream().anyMatch(served -> served.version == protocol.version())) {
        throw new IllegalArgumentException(name + " is served twice");
      }
      versions.add(new ServedProtocol(protocol.version(), methods));
    }
    table = new MethodTable(headers);
  }

  private static RequestHeaderProto header(RpcProtocol protocol, String methodName) {
    return RequestHeaderProto.newBuilder()
        .setMethodName(methodName)
        .setDeclaringClassProtocolName(protocol.name())
        .setClientProtocolVersion(protocol.version())
        .build();
  }

  /**
   * Finds a method by the bytes of its header, without parsing them.
   *
   * @param offset where the header begins
   * @return null if the header has other bytes than usual; {@link #find(RequestHeaderProto,
   *     String)} decides then
   */
  public MethodTable.@Nullable Entry find(byte[] frame, int offset) {
    return table.find(frame, offset);
  }

  /**
   * Finds a method by its header.
   *
   * @param connectionProtocol the protocol that the connection named, for the text of a failure
   * @throws RpcServerException if there is no such protocol, version or method
   */
  public ServedMethod find(RequestHeaderProto header, @Nullable String connectionProtocol)
      throws RpcServerException {
    String protocol = header.getDeclaringClassProtocolName();
    long version = header.getClientProtocolVersion();
    List<ServedProtocol> versions = protocols.get(protocol);
    if (versions == null) {
      throw new RpcNoSuchProtocolException("Unknown protocol: " + protocol);
    }
    long highest = Long.MIN_VALUE;
    for (ServedProtocol served : versions) {
      highest = Math.max(highest, served.version);
      if (served.version == version) {
        ServedMethod method = served.methods.get(header.getMethodName());
        if (method == null) {
          throw new RpcNoSuchMethodException(
              "Unknown method "
                  + header.getMethodName()
                  + " called on "
                  + connectionProtocol
                  + " protocol.");
        }
        return method;
      }
    }
    throw new RPC.VersionMismatch(protocol, version, highest);
  }
}
