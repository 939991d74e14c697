package io.acaciafs.web;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.server.KerberosAuthenticationHandler;
import org.apache.hadoop.security.authentication.server.PseudoAuthenticationHandler;
import org.apache.hadoop.security.authentication.util.KerberosUtil;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How users prove who they are by HTTP, and what is kept for administrators, where this process has
 * security on (Kerberos). Without it nothing is changed. Stateless.
 *
 * <p>HDFS reads {@code hadoop.http.authentication.*} alone, whose type is {@code simple} unless a
 * site sets it, and then believes the {@code user.name} of a query although Kerberos is on. Here
 * {@code simple} is then taken for Kerberos, as the principal of {@code
 * dfs.web.authentication.kerberos.principal}; without a principal nobody is believed.
 */
final class WebSecurity {
  private static final Logger LOG = LoggerFactory.getLogger(WebSecurity.class);
  private static final String PREFIX = "hadoop.http.authentication.";
  private static final String TYPE = PREFIX + "type";
  private static final String PRINCIPAL = PREFIX + KerberosAuthenticationHandler.PRINCIPAL;
  private static final String KEYTAB = PREFIX + KerberosAuthenticationHandler.KEYTAB;
  private static final String EVERY_PRINCIPAL = "*";
  private static final String REQUIRES_ADMIN =
      CommonConfigurationKeys.HADOOP_SECURITY_INSTRUMENTATION_REQUIRES_ADMIN;

  /** They change what is logged, or show what is of use to an attacker. */
  private static final List<String> OF_ADMINISTRATORS =
      List.of(
          "/logLevel",
          "/conf",
          "/stacks",
          "/logs",
          "/prof",
          "/prof-output-hadoop",
          "/api/block",
          "/api/configuration",
          "/api/openfiles",
          "/api/quotas");

  /** Figures: everybody whom the server knows may read them, unless the site says otherwise. */
  private static final List<String> FIGURES =
      List.of(
          "/jmx",
          "/metrics",
          "/prom",
          "/api/cluster",
          "/api/datanodes",
          "/api/history",
          "/api/overview",
          "/api/problems",
          "/api/users",
          "/api/work");

  private WebSecurity() {}

  /**
   * Sets what Hadoop's filters read.
   *
   * @param conf the server's own
   * @param host that _HOST of a principal stands for
   * @throws IOException with a sentence, where there is no key for the principal
   */
  static void setFilters(Configuration conf, String host) throws IOException {
    if (!UserGroupInformation.isSecurityEnabled()) {
      return;
    }
    String type = conf.getTrimmed(TYPE, "");
    boolean isSimple = type.isEmpty() || type.equals(PseudoAuthenticationHandler.TYPE);
    if (!isSimple && !type.equals(KerberosAuthenticationHandler.TYPE)) {
      return; // the site's own
    }
    String principal = principal(conf);
    if (principal == null && !isSimple) {
      throw new IOException(
          TYPE
              + " is kerberos, and no principal is set: neither "
              + PRINCIPAL
              + " nor "
              + DFSConfigKeys.DFS_WEB_AUTHENTICATION_KERBEROS_PRINCIPAL_KEY);
    }
    if (principal == null) {
      LOG.warn(
          "No user is known by HTTP, so WebHDFS, fsck and images are refused to all: {} is not set",
          DFSConfigKeys.DFS_WEB_AUTHENTICATION_KERBEROS_PRINCIPAL_KEY);
      knowNobody(conf);
      return;
    }
    String ours = SecurityUtil.getServerPrincipal(principal, host);
    String keytab = keytab(conf);
    requireKey(ours, keytab);
    conf.set(TYPE, KerberosAuthenticationHandler.TYPE);
    conf.set(PRINCIPAL, ours);
    conf.set(KEYTAB, keytab);
    conf.set(DFSConfigKeys.DFS_NAMENODE_KERBEROS_INTERNAL_SPNEGO_PRINCIPAL_KEY, ours);
    conf.set(DFSConfigKeys.DFS_WEB_AUTHENTICATION_KERBEROS_KEYTAB_KEY, keytab);
  }

  /** Sets Hadoop's filters so that no user is known by HTTP. */
  static void knowNobody(Configuration conf) {
    conf.set(TYPE, NobodyHandler.class.getName());
  }

  private static @Nullable String principal(Configuration conf) {
    String ofHadoop = SiteSetting.of(conf, PRINCIPAL);
    String ofHdfs =
        conf.getTrimmed(DFSConfigKeys.DFS_NAMENODE_KERBEROS_INTERNAL_SPNEGO_PRINCIPAL_KEY, "");
    String principal = ofHadoop == null ? ofHdfs : ofHadoop;
    return principal.isEmpty() || principal.startsWith("${") ? null : principal;
  }

  private static String keytab(Configuration conf) {
    String ofHadoop = SiteSetting.of(conf, KEYTAB);
    String ofNameNode = conf.getTrimmed(DFSConfigKeys.DFS_NAMENODE_KEYTAB_FILE_KEY, "");
    return ofHadoop == null
        ? conf.getTrimmed(DFSConfigKeys.DFS_WEB_AUTHENTICATION_KERBEROS_KEYTAB_KEY, ofNameNode)
        : ofHadoop;
  }

  private static void requireKey(String principal, String keytab) throws IOException {
    if (!new File(keytab).canRead()) {
      throw new IOException("The keytab of HTTP cannot be read: " + keytab);
    }
    String[] names = KerberosUtil.getPrincipalNames(keytab, Pattern.compile("HTTP/.*"));
    boolean isThere =
        principal.equals(EVERY_PRINCIPAL)
            ? names.length > 0
            : Arrays.asList(names).contains(principal);
    if (!isThere) {
      throw new IOException("The keytab " + keytab + " has no key of " + principal);
    }
  }

  /**
   * The administrators: those that dfs.cluster.administrators names; with security on also the
   * superuser and the group of superusers, who may do by RPC what is done here.
   */
  static AccessControlList administrators(Configuration conf) throws IOException {
    AccessControlList all = new AccessControlList(conf.get(DFSConfigKeys.DFS_ADMIN, " "));
    if (UserGroupInformation.isSecurityEnabled()) {
      all.addUser(UserGroupInformation.getLoginUser().getShortUserName());
      all.addGroup(
          conf.get(
              DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_KEY,
              DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_DEFAULT));
    }
    return all;
  }

  /** Closes to others what is the administrators'; before the server starts. */
  static void closePages(HttpServer2 server, Configuration conf) {
    if (!UserGroupInformation.isSecurityEnabled()) {
      return;
    }
    String paths = String.join(",", OF_ADMINISTRATORS);
    if (conf.getBoolean(REQUIRES_ADMIN, false)) {
      paths += "," + String.join(",", FIGURES);
    }
    server.addGlobalFilter(
        "administrators",
        AdministratorFilter.class.getName(),
        Map.of(AdministratorFilter.PATHS, paths));
    server.getWebAppContext().getServer().insertHandler(new RefusalLog());
  }
}
