package io.acaciafs.namenode.image;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.security.SecurityUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who may fetch the whole namespace where users prove who they are: the NameNodes, by their
 * principals, and administrators. Stateless.
 *
 * <p>Source: HDFS 3.5's {@code ImageServlet.isValidRequestor}. The secondary NameNode is none of
 * them, unless its user is an administrator: there is none here.
 */
public final class ImageRequestors implements Predicate<String> {
  private static final Logger LOG = LoggerFactory.getLogger(ImageRequestors.class);

  private final Configuration conf;
  private final Predicate<String> isAdministrator;

  /**
   * @param isAdministrator of a principal
   */
  public ImageRequestors(Configuration conf, Predicate<String> isAdministrator) {
    this.conf = conf;
    this.isAdministrator = isAdministrator;
  }

  /** Whether a principal may. */
  @Override
  public boolean test(String principal) {
    boolean isAllowed = isNameNode(principal) || isAdministrator(principal);
    LOG.info("Image asked for by={} allowed={}", principal, isAllowed);
    return isAllowed;
  }

  private boolean isNameNode(String principal) {
    try {
      return nameNodes().contains(principal);
    } catch (IOException | RuntimeException e) {
      LOG.warn("The principals of the NameNodes cannot be told", e);
      return false;
    }
  }

  private boolean isAdministrator(String principal) {
    try {
      return isAdministrator.test(principal);
    } catch (IllegalArgumentException e) {
      return false; // no rule of auth_to_local knows the principal
    }
  }

  private Set<String> nameNodes() throws IOException {
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
