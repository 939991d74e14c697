package io.acaciafs.namenode.reply;

import io.acaciafs.namespace.context.CallId;
import io.acaciafs.rpc.protocol.RpcCall;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * Where a client is, and which of its calls this is. Hadoop's Router says both of its clients in
 * the caller context, which counts where the Router's user is among {@code
 * dfs.namenode.ip-proxy-users}. Source: HDFS 3.5's NameNode.getClientMachine and
 * getClientIdAndCallId. Safe for use by many threads.
 */
public final class RoutedClients {
  /** Where clients come by themselves. */
  public static final RoutedClients NONE = new RoutedClients(Set.of());

  private static final String IP = CallerContext.CLIENT_IP_STR + ':';
  private static final String CLIENT_ID = CallerContext.CLIENT_ID_STR + ':';
  private static final String CALL_ID = CallerContext.CLIENT_CALL_ID_STR + ':';

  /** A Router sends a call that it repeats as a first attempt. */
  private static final int UNKNOWN = -1;

  private final Set<String> routers;

  private RoutedClients(Set<String> routers) {
    this.routers = routers;
  }

  public static RoutedClients of(Configuration conf) {
    return new RoutedClients(
        Set.copyOf(conf.getTrimmedStringCollection(DFSConfigKeys.DFS_NAMENODE_IP_PROXY_USERS)));
  }

  /** The address of the client, or its name where that is not known. */
  public String machine(RpcCall call) {
    String routed = said(context(call), IP);
    return routed == null ? connected(call) : routed;
  }

  /** The address that the call came from: of the client, a Router or a DataNode. */
  public static String connected(RpcCall call) {
    InetSocketAddress address = call.clientAddress();
    InetAddress ip = address.getAddress();
    return ip == null ? address.getHostString() : ip.getHostAddress();
  }

  /** As in HDFS, calls without an id are not recognised when they come again: null. */
  @Nullable CallId callId(RpcCall call) {
    String context = context(call);
    if (context != null) {
      CallId routed = callId(said(context, CLIENT_ID), said(context, CALL_ID));
      if (routed != null) {
        return routed;
      }
    }
    byte[] clientId = call.clientId();
    return call.callId() >= 0 && clientId.length == CallId.CLIENT_ID_LENGTH
        ? new CallId(clientId, call.callId(), call.retryCount())
        : null;
  }

  /** Null where they cannot be what a Router says. */
  private static @Nullable CallId callId(@Nullable String clientId, @Nullable String callId) {
    if (clientId == null || callId == null) {
      return null;
    }
    try {
      byte[] client = HexFormat.of().parseHex(clientId);
      int number = Integer.parseInt(callId);
      return number >= 0 && client.length == CallId.CLIENT_ID_LENGTH
          ? new CallId(client, number, UNKNOWN)
          : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Calls of the machine that this call is from; null where all calls of a connection are. */
  @Nullable Predicate<RpcCall> ofSameMachine(RpcCall call) {
    if (routers.isEmpty()) {
      return null;
    }
    String machine = machine(call);
    return other -> machine(other).equals(machine);
  }

  /** What a Router says of its client; null where the user of the call is no Router. */
  private @Nullable String context(RpcCall call) {
    if (routers.isEmpty() || call.callerContext() == null) {
      return null;
    }
    UserGroupInformation user = UserGroupInformation.getRealUserOrSelf(call.user());
    return routers.contains(user.getShortUserName()) && call.callerContext().isContextValid()
        ? call.callerContext().getContext()
        : null;
  }

  /** Up to the next comma, whatever the site's separator is. */
  private static @Nullable String said(@Nullable String context, String key) {
    int at = context == null ? -1 : context.indexOf(key);
    if (context == null || at < 0) {
      return null;
    }
    int end = context.indexOf(',', at);
    return context.substring(at + key.length(), end < 0 ? context.length() : end);
  }
}
