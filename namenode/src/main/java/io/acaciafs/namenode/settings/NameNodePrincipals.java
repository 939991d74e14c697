package io.acaciafs.namenode.settings;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who the NameNodes of a file system are where users prove who they are: those of the settings of
 * this one. Stateless; methods may look up names of hosts.
 *
 * <p>Source: HDFS 3.5's {@code ImageServlet.getValidPrincipals}.
 */
public final class NameNodePrincipals {
  private static final Logger LOG = LoggerFactory.getLogger(NameNodePrincipals.class);

  private NameNodePrincipals() {}

  /** Whether a user has shown by a ticket who it is, and acts for nobody else. */
  public static boolean hasTicket(UserGroupInformation user) {
    return user.getAuthenticationMethod() == AuthenticationMethod.KERBEROS
        && user.getRealUser() == null;
  }

  /** Whether a principal is a NameNode's. */
  public static boolean isNameNode(Configuration conf, String principal) {
    return of(conf).contains(principal);
  }

  /**
   * The same of a NameNode that was added since the start too.
   *
   * @param files the site as its files say it now
   */
  public static boolean isNameNode(
      Configuration conf, Supplier<Configuration> files, String principal) {
    return isNameNode(conf, principal) || isNameNode(files.get(), principal);
  }

  /** Those of all NameNodes; none, with a warning, where they cannot be told. */
  public static Set<String> of(Configuration conf) {
    try {
      return all(conf);
    } catch (IOException | RuntimeException e) {
      LOG.warn("The principals of the NameNodes cannot be told", e);
      return Set.of();
    }
  }

  private static Set<String> all(Configuration conf) throws IOException {
    Set<String> principals = new HashSet<>(Set.of(principal(conf)));
    if (HAUtil.isHAEnabled(conf, DFSUtil.getNamenodeNameServiceId(conf))) {
      for (Configuration other : HAUtil.getConfForOtherNodes(conf)) {
        principals.add(principal(other));
      }
    }
    principals.remove("");
    return principals;
  }

  private static String principal(Configuration of) throws IOException {
    return SecurityUtil.getServerPrincipal(
        of.getTrimmed(DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, ""),
        DFSUtilClient.getNNAddress(of).getHostName());
  }
}
