package io.acaciafs.namenode.admin;

import io.acaciafs.namenode.ha.ForwardProtocol;
import io.acaciafs.namenode.members.MemberProtocol;
import io.acaciafs.namenode.monitor.history.HistoryProtocol;
import io.acaciafs.namenode.settings.NameNodePrincipals;
import io.acaciafs.rpc.options.ConnectionPolicy;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HDFSPolicyProvider;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.KerberosInfo;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;
import org.apache.hadoop.security.authorize.ServiceAuthorizationManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides by hadoop-policy.xml which user may use which protocol, if hadoop.security.authorization
 * is on. Hadoop's own classes read the file and decide. Safe for use by many threads.
 *
 * <p>Source: {@code Server.authorize} of Hadoop 3.5.
 */
public final class ServiceAuthorization implements ConnectionPolicy {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceAuthorization.class);

  /** What NameNodes say to each other, for which HDFS has other means. */
  private static final List<Class<?>> OF_NAME_NODES =
      List.of(MemberProtocol.class, ForwardProtocol.class, HistoryProtocol.class);

  private final ServiceAuthorizationManager manager = new ServiceAuthorizationManager();
  private final PolicyProvider provider = new Policies();
  private final Configuration conf;
  private final Supplier<Configuration> reader;
  private final Map<String, Class<?>> protocols = new HashMap<>();

  /** Each is for one principal, with the client's host in it, which a name service knows. */
  private final Set<Class<?>> ofPrincipals = new HashSet<>();

  /** HDFS's, and those of protocols between NameNodes, which use the setting of HDFS's own. */
  private static final class Policies extends HDFSPolicyProvider {
    @Override
    public Service[] getServices() {
      String key = CommonConfigurationKeys.SECURITY_NAMENODE_PROTOCOL_ACL;
      return Stream.concat(
              Arrays.stream(super.getServices()),
              OF_NAME_NODES.stream().map(protocol -> new Service(key, protocol)))
          .toArray(Service[]::new);
    }
  }

  private ServiceAuthorization(Configuration conf, Supplier<Configuration> reader) {
    this.conf = conf;
    this.reader = reader;
    for (Service service : provider.getServices()) {
      protocols.put(RPC.getProtocolName(service.getProtocol()), service.getProtocol());
      KerberosInfo kerberos = SecurityUtil.getKerberosInfo(service.getProtocol(), conf);
      if (kerberos != null && !kerberos.clientPrincipal().isEmpty()) {
        ofPrincipals.add(service.getProtocol());
      }
    }
    refresh(conf);
  }

  private void refresh(Configuration policy) {
    String file = System.getProperty("hadoop.policy.file", "hadoop-policy.xml");
    if (policy.getResource(file) == null) {
      LOG.warn(
          "hadoop.security.authorization is on, but there is no {} beside hdfs-site.xml", file);
    }
    manager.refresh(policy, provider);
  }

  /**
   * @param reader reads the configuration anew
   * @return null if every user may use every protocol
   */
  public static @Nullable ServiceAuthorization of(
      Configuration conf, Supplier<Configuration> reader) {
    return conf.getBoolean(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHORIZATION, false)
        ? new ServiceAuthorization(conf, reader)
        : null;
  }

  /** Reads hadoop-policy.xml anew, for connections that are made from now on. */
  void refresh() {
    refresh(reader.get());
  }

  @Override
  public void authorize(
      UserGroupInformation user, @Nullable String protocolName, InetAddress client)
      throws AuthorizationException {
    if (protocolName == null) {
      throw new AuthorizationException("Null protocol not authorized");
    }
    Class<?> protocol = protocols.get(protocolName);
    if (protocol == null) {
      throw new AuthorizationException("Unknown protocol: " + protocolName);
    }
    Configuration naming = OF_NAME_NODES.contains(protocol) ? namingCaller(user) : conf;
    manager.authorize(user, protocol, naming, client);
  }

  /** Hadoop's class takes the principal of this NameNode alone; others may have their own. */
  private Configuration namingCaller(UserGroupInformation user) {
    String principal = user.getUserName();
    if (!UserGroupInformation.isSecurityEnabled()
        || !NameNodePrincipals.isNameNode(conf, reader, principal)) {
      return conf;
    }
    Configuration naming = new Configuration(conf);
    naming.set(DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, principal);
    return naming;
  }

  @Override
  public boolean mayWait(@Nullable String protocolName) {
    Class<?> protocol = protocols.get(protocolName);
    return protocol != null && (namesGroups(protocol) || ofPrincipals.contains(protocol));
  }

  private boolean namesGroups(Class<?> protocol) {
    AccessControlList allowed = manager.getProtocolsAcls(protocol);
    return !allowed.isAllAllowed() && !allowed.getGroups().isEmpty()
        || !manager.getProtocolsBlockedAcls(protocol).getGroups().isEmpty();
  }
}
