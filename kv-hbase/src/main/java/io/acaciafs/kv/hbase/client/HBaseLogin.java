package io.acaciafs.kv.hbase.client;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.run.FailureText;
import java.io.IOException;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.HadoopKerberosName;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.util.JaasConfiguration;

/**
 * The user that this process is to HBase and to its ZooKeeper: what it has logged in as, which for
 * a NameNode with Kerberos is dfs.namenode.kerberos.principal. HBase's client renews that login.
 * Stateless, but how ZooKeeper's client logs in holds for the whole process, from the first
 * connection on.
 *
 * <p>Source: HBase 2.6's {@code ZKAuthentication}, of which its client does not have.
 */
final class HBaseLogin {
  /** Where ZooKeeper's client looks, unless the process was told otherwise. */
  private static final String ZOOKEEPER_SECTION = "Client";

  private HBaseLogin() {}

  /**
   * The user that connections are made as.
   *
   * @throws StoreException where HBase wants Kerberos, and this process has not logged in
   */
  static User user(Configuration conf) {
    try {
      UserGroupInformation self = UserGroupInformation.getLoginUser();
      if (User.isHBaseSecurityEnabled(conf)) {
        requireTicket(self);
        logInToZooKeeper(conf, self);
      }
      return User.create(self);
    } catch (IOException e) {
      throw new StoreException("This process cannot log in to HBase: " + FailureText.of(e), e);
    }
  }

  private static void requireTicket(UserGroupInformation self) {
    if (!UserGroupInformation.isSecurityEnabled()) {
      throw new StoreException(
          User.HBASE_SECURITY_CONF_KEY
              + " is kerberos, and hadoop.security.authentication is not: set both, or none");
    }
    if (!self.hasKerberosCredentials()) {
      throw new StoreException(
          "HBase wants Kerberos, and "
              + self.getUserName()
              + " has no ticket: say kinit, or run this as a user that can read the NameNode's"
              + " keytab");
    }
  }

  /** As the settings say; a section that the site has named to the JVM comes first. */
  private static synchronized void logInToZooKeeper(Configuration conf, UserGroupInformation self)
      throws IOException {
    String principal = conf.getTrimmed(HConstants.ZK_CLIENT_KERBEROS_PRINCIPAL, "");
    String keytab = conf.getTrimmed(HConstants.ZK_CLIENT_KEYTAB_FILE, "");
    if (principal.isEmpty() && keytab.isEmpty()) {
      return; // ZooKeeper lets all read what clients of HBase need, unless it is told otherwise
    }
    if (principal.isEmpty() || keytab.isEmpty()) {
      throw new IOException(
          HConstants.ZK_CLIENT_KERBEROS_PRINCIPAL
              + " and "
              + HConstants.ZK_CLIENT_KEYTAB_FILE
              + " go together, and one of them is not set");
    }
    AppConfigurationEntry[] known =
        javax.security.auth.login.Configuration.getConfiguration()
            .getAppConfigurationEntry(ZOOKEEPER_SECTION);
    if (known == null) {
      String host = new HadoopKerberosName(self.getUserName()).getHostName();
      javax.security.auth.login.Configuration.setConfiguration(
          new JaasConfiguration(
              ZOOKEEPER_SECTION, SecurityUtil.getServerPrincipal(principal, host), keytab));
    }
  }
}
