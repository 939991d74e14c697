package io.acaciafs.namenode;

import io.acaciafs.namespace.Caller;
import io.acaciafs.namespace.NamespaceSettings;
import io.acaciafs.rpc.RpcCall;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.apache.hadoop.security.UserGroupInformation;

/** Tells the namespace who calls. */
final class Callers {
  private final NamespaceSettings settings;

  Callers(NamespaceSettings settings) {
    this.settings = settings;
  }

  Caller of(RpcCall call) {
    UserGroupInformation user = call.user();
    String name = user.getShortUserName();
    return new Caller(
        name,
        clientMachine(call),
        name.equals(settings.owner()),
        settings.superGroup(),
        () -> user.getGroupsSet());
  }

  static String clientMachine(RpcCall call) {
    InetSocketAddress address = call.clientAddress();
    InetAddress ip = address.getAddress();
    return ip == null ? address.getHostString() : ip.getHostAddress();
  }
}
