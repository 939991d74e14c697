package io.acaciafs.namenode.image;

import io.acaciafs.namenode.settings.NameNodePrincipals;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
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
    boolean isAllowed =
        NameNodePrincipals.isNameNode(conf, principal) || isAdministrator(principal);
    LOG.info("Image asked for by={} allowed={}", principal, isAllowed);
    return isAllowed;
  }

  private boolean isAdministrator(String principal) {
    try {
      return isAdministrator.test(principal);
    } catch (IllegalArgumentException e) {
      return false; // no rule of auth_to_local knows the principal
    }
  }
}
