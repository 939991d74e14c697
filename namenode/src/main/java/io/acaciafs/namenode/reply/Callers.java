package io.acaciafs.namenode.reply;

import io.acaciafs.namenode.permission.AttributeProvider;
import io.acaciafs.namespace.context.CallId;
import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.context.ExternalAuthorizer;
import io.acaciafs.namespace.permission.PermissionChecker;
import io.acaciafs.namespace.settings.NamespaceSettings;
import io.acaciafs.rpc.protocol.MustWaitException;
import io.acaciafs.rpc.protocol.RpcCall;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/** Tells the namespace who calls, and what the caller is. */
public final class Callers {
  private final NamespaceSettings settings;
  private final BooleanSupplier isAudited;
  private final RoutedClients clients;
  private final @Nullable AttributeProvider provider;

  /** Where no call is audited, and Routers send none. */
  public Callers(NamespaceSettings settings, @Nullable AttributeProvider provider) {
    this(settings, () -> false, RoutedClients.NONE, provider);
  }

  /**
   * @param isAudited whether calls get what they were about attached, for the audit log
   * @param provider decides what callers may do; null: HDFS's rules do
   */
  public Callers(
      NamespaceSettings settings,
      BooleanSupplier isAudited,
      RoutedClients clients,
      @Nullable AttributeProvider provider) {
    this.settings = settings;
    this.isAudited = isAudited;
    this.clients = clients;
    this.provider = provider;
  }

  /**
   * @throws MustWaitException on a network thread, where a class of the site decides: it takes as
   *     long as it likes
   */
  public Caller of(RpcCall call) {
    Caller caller = caller(call.user(), clients.machine(call), call.method());
    ExternalAuthorizer authorizer =
        provider == null ? null : provider.of(call, settings.permissions());
    if (authorizer != null) {
      if (call.networkThread() != null) {
        throw new MustWaitException();
      }
      caller = caller.judgedBy(authorizer);
    }
    if (isAudited.getAsBoolean()) {
      caller = caller.tellingOf(call::attach);
    }
    if (call.isIsolated()) {
      caller = caller.pausing(Thread::yield);
    }
    CallId id = clients.callId(call);
    return id == null ? caller : caller.in(id);
  }

  /** Where clients are, by themselves or behind Routers. */
  public RoutedClients clients() {
    return clients;
  }

  private Caller caller(UserGroupInformation user, String clientMachine, @Nullable String method) {
    String name = user.getShortUserName();
    return new Caller(
        new Caller.Identity(
            name,
            clientMachine,
            name.equals(settings.permissions().owner()),
            settings.permissions().superGroup(),
            () -> user.getGroupsSet(),
            method));
  }

  /** Whether all is allowed to the user, or permissions are not checked at all. */
  public boolean isSuperuser(UserGroupInformation user) {
    Caller caller = caller(user, "", null);
    return !settings.permissions().isEnabled() || caller.isSuperuser();
  }

  /** For calls that are of no file, so that no operation checks them. */
  public void checkSuperuser(RpcCall call) throws AccessControlException {
    checkSuperuser(call, call.method());
  }

  /**
   * The same where HDFS has several operations behind a method.
   *
   * @param operation as HDFS calls it
   */
  public void checkSuperuser(RpcCall call, String operation) throws AccessControlException {
    if (settings.permissions().isEnabled()) {
      PermissionChecker.checkSuperuser(of(call), operation, null);
    }
  }
}
