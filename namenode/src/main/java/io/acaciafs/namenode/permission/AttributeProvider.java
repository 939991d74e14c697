package io.acaciafs.namenode.permission;

import io.acaciafs.namespace.context.ExternalAuthorizer;
import io.acaciafs.namespace.settings.PermissionSettings;
import io.acaciafs.rpc.protocol.RpcCall;
import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider.AccessControlEnforcer;
import org.apache.hadoop.hdfs.server.namenode.INodeAttributeProvider.AuthorizationContext;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The site's class, from the start of the NameNode to its end. Source: HDFS 3.5's FSNamesystem and
 * FSDirectory. Safe for use by many threads.
 */
public final class AttributeProvider implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AttributeProvider.class);

  private final INodeAttributeProvider provider;
  private final Set<String> bypassUsers;
  private final boolean takesContext;
  private final long slowMs;

  private AttributeProvider(INodeAttributeProvider provider, Configuration conf) {
    this.provider = provider;
    this.bypassUsers =
        Set.copyOf(
            conf.getTrimmedStringCollection(
                DFSConfigKeys.DFS_NAMENODE_INODE_ATTRIBUTES_PROVIDER_BYPASS_USERS_KEY));
    this.takesContext = takesContext(provider.getExternalAccessControlEnforcer(null));
    this.slowMs =
        conf.getLong(
            DFSConfigKeys.DFS_NAMENODE_ACCESS_CONTROL_ENFORCER_REPORTING_THRESHOLD_MS_KEY,
            DFSConfigKeys.DFS_NAMENODE_ACCESS_CONTROL_ENFORCER_REPORTING_THRESHOLD_MS_DEFAULT);
    LOG.info(
        "Authorization provider started class={} takesContext={} bypassUsers={}",
        provider.getClass().getName(),
        takesContext,
        bypassUsers);
  }

  /**
   * Makes and starts the class that the site names.
   *
   * @return null where it names none
   * @throws IOException with a sentence that says why it could not be started
   */
  public static @Nullable AttributeProvider start(Configuration conf) throws IOException {
    String key = DFSConfigKeys.DFS_NAMENODE_INODE_ATTRIBUTES_PROVIDER_KEY;
    String name = conf.getTrimmed(key, "");
    if (name.isEmpty()) {
      return null;
    }
    INodeAttributeProvider provider = null;
    try {
      provider =
          ReflectionUtils.newInstance(
              conf.getClassByName(name).asSubclass(INodeAttributeProvider.class), conf);
      provider.start();
      return new AttributeProvider(provider, conf);
    } catch (ClassNotFoundException | RuntimeException | LinkageError e) {
      stop(provider);
      throw new IOException(
          "The authorization provider "
              + name
              + " ("
              + key
              + ") could not be started: "
              + e
              + ". Its jars belong on the class path (ACACIA_CLASSPATH)",
          e);
    }
  }

  private static void stop(@Nullable INodeAttributeProvider provider) {
    try {
      if (provider != null) {
        provider.stop();
      }
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("An authorization provider could not be stopped after it could not be started", e);
    }
  }

  /** As FSDirectory: of its own, not inherited. */
  private static boolean takesContext(@Nullable AccessControlEnforcer enforcer) {
    if (enforcer == null) {
      return true; // Hadoop's own, which does
    }
    try {
      enforcer
          .getClass()
          .getDeclaredMethod("checkPermissionWithContext", AuthorizationContext.class);
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  /**
   * What decides on a call.
   *
   * @return null for a user for whom the site wants HDFS's rules
   */
  public @Nullable ExternalAuthorizer of(RpcCall call, PermissionSettings permissions) {
    return bypassUsers.contains(call.user().getUserName())
        ? null
        : new CallAuthorizer(this, call, permissions);
  }

  INodeAttributeProvider provider() {
    return provider;
  }

  /** Whether the class has the newer one of two methods. */
  boolean takesContext() {
    return takesContext;
  }

  /** A check that takes longer is logged; 0: none. */
  long slowMs() {
    return slowMs;
  }

  @Override
  public void close() {
    provider.stop();
    LOG.info("Authorization provider stopped class={}", provider.getClass().getName());
  }
}
