package org.apache.hadoop.hdfs;

import io.acaciafs.kv.hbase.local.FreePorts;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.security.authentication.util.KerberosName;
import org.apache.hadoop.security.authentication.util.KerberosUtil;

/**
 * What a NameNode of another process needs of a test with Kerberos and TLS: the test's KDC, files
 * of keystores, and a port. With Kerberos the test's process becomes the NameNode's principal, as
 * it would with a NameNode inside.
 */
final class MiniSecurity {
  private static final String KDC = "java.security.krb5.conf";

  private final Configuration conf;

  private MiniSecurity(Configuration conf) {
    this.conf = conf;
  }

  /**
   * Logs in where the configuration wants Kerberos.
   *
   * @param conf of the test; gets a port for HTTPS
   */
  static MiniSecurity of(Configuration conf) throws IOException {
    if (DFSUtil.getHttpPolicy(conf).isHttpsEnabled()) {
      conf.set("dfs.namenode.https-address", "localhost:" + FreePorts.next());
    }
    if (isKerberos(conf)) {
      readRealm(conf);
      UserGroupInformation.setConfiguration(conf);
      SecurityUtil.login(
          conf,
          DFSConfigKeys.DFS_NAMENODE_KEYTAB_FILE_KEY,
          DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY,
          "localhost");
    }
    return new MiniSecurity(conf);
  }

  /**
   * Java reads the settings of Kerberos once, maybe before the test's KDC ran, unless a login wants
   * them to be read again.
   */
  private static void readRealm(Configuration conf) throws IOException {
    Map<String, String> options =
        Map.of(
            "refreshKrb5Config",
            "true",
            "doNotPrompt",
            "true",
            "useKeyTab",
            "true",
            "keyTab",
            conf.get(DFSConfigKeys.DFS_NAMENODE_KEYTAB_FILE_KEY),
            "principal",
            SecurityUtil.getServerPrincipal(
                conf.get(DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY), "localhost"));
    AppConfigurationEntry login =
        new AppConfigurationEntry(
            KerberosUtil.getKrb5LoginModuleName(), LoginModuleControlFlag.REQUIRED, options);
    try {
      new LoginContext(
              "mini",
              new Subject(),
              null,
              new javax.security.auth.login.Configuration() {
                @Override
                public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
                  return new AppConfigurationEntry[] {login};
                }
              })
          .login();
    } catch (LoginException e) {
      throw new IOException(e);
    }
    KerberosName.resetDefaultRealm();
  }

  static boolean isKerberos(Configuration conf) {
    return SecurityUtil.getAuthenticationMethod(conf) == AuthenticationMethod.KERBEROS;
  }

  /** By which the NameNode writes an audit log, and finds the KDC of this process. */
  String[] jvmOptions() {
    String audit = "-Dhdfs.audit.logger=INFO,RFAAUDIT";
    String kdc = System.getProperty(KDC);
    return kdc == null ? new String[] {audit} : new String[] {audit, "-D" + KDC + "=" + kdc};
  }

  /** That name keystores, where the test has made some. */
  List<Path> configurationFiles() throws URISyntaxException {
    List<Path> files = new ArrayList<>();
    for (String key :
        List.of("dfs.https.server.keystore.resource", "dfs.client.https.keystore.resource")) {
      URL file = conf.getResource(conf.get(key, "none"));
      if (file != null && file.getProtocol().equals("file")) {
        files.add(Path.of(file.toURI()));
      }
    }
    return files;
  }
}
