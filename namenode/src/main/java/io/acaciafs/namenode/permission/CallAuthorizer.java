package io.acaciafs.namenode.permission;

import io.acaciafs.namespace.context.AccessEnforcer;
import io.acaciafs.namespace.context.ExternalAuthorizer;
import io.acaciafs.namespace.context.OperationContext;
import io.acaciafs.namespace.settings.PermissionSettings;
import io.acaciafs.rpc.protocol.RpcCall;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.namenode.FSPermissionChecker;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider.AccessControlEnforcer;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider.AuthorizationContext;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the site's class on behalf of one call. Source: HDFS 3.5's FSPermissionChecker. */
final class CallAuthorizer implements ExternalAuthorizer {
  private static final Logger LOG = LoggerFactory.getLogger(CallAuthorizer.class);

  private final AttributeProvider site;
  private final RpcCall call;
  private final CallScope scope;
  private final PermissionSettings permissions;

  CallAuthorizer(AttributeProvider site, RpcCall call, PermissionSettings permissions) {
    this.site = site;
    this.call = call;
    this.scope = new CallScope(call);
    this.permissions = permissions;
  }

  /** One question to the site's class. */
  @FunctionalInterface
  interface Question {
    void ask() throws AccessControlException;
  }

  @Override
  public AccessEnforcer enforcer(OperationContext context) {
    return new ProvidedEnforcer(this, context);
  }

  @Override
  public void checkSuperuser(@Nullable String operation, @Nullable String subject)
      throws AccessControlException {
    AccessControlEnforcer enforcer = newEnforcer();
    AuthorizationContext context = context(operation, subject).build();
    ask(context, () -> enforcer.checkSuperUserPermissionWithContext(context));
  }

  @Override
  public void deny(@Nullable String operation, String subject, String text)
      throws AccessControlException {
    AccessControlEnforcer enforcer = newEnforcer();
    AuthorizationContext context = context(operation, subject).build();
    ask(context, () -> enforcer.denyUserAccess(context, text));
    throw new AccessControlException(text); // where the class does not
  }

  INodeAttributeProvider provider() {
    return site.provider();
  }

  boolean takesContext() {
    return site.takesContext();
  }

  /** What the site's class knows of the call. */
  AuthorizationContext.Builder context(@Nullable String operation, @Nullable String path) {
    return new AuthorizationContext.Builder()
        .fsOwner(permissions.owner())
        .supergroup(permissions.superGroup())
        .callerUgi(call.user())
        .operationName(operation)
        .callerContext(call.callerContext())
        .path(path == null || path.isEmpty() ? null : path);
  }

  /** Asks, and logs what takes long. */
  void ask(AuthorizationContext context, Question question) throws AccessControlException {
    long beginNanos = System.nanoTime();
    try {
      scope.<Boolean, AccessControlException>run(
          () -> {
            question.ask();
            return true;
          });
    } finally {
      long elapsedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos);
      if (site.slowMs() > 0 && elapsedMs > site.slowMs()) {
        LOG.warn(
            "Authorization provider is slow class={} elapsedMs={} thresholdMs={} operation={}"
                + " path={} user={}",
            site.provider().getClass().getName(),
            elapsedMs,
            site.slowMs(),
            context.getOperationName(),
            context.getPath(),
            call.user());
      }
    }
  }

  /** In which the site's class is to run. */
  CallScope scope() {
    return scope;
  }

  /** May keep what it found in one attempt of an operation, as HDFS has one for each operation. */
  AccessControlEnforcer newEnforcer() {
    return site.provider().getExternalAccessControlEnforcer(new HdfsRules());
  }

  /** HDFS's rules, for the site's class to fall back to. */
  private final class HdfsRules extends FSPermissionChecker {
    private HdfsRules() {
      super(permissions.owner(), permissions.superGroup(), call.user(), null);
    }

    /** Of inodes in a subtree, which it looks at by itself. */
    @Override
    public INodeAttributeProvider getAttributesProvider() {
      return site.provider();
    }
  }
}
