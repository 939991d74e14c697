package io.acaciafs.namenode.settings;

import io.acaciafs.blocks.settings.TokenSettings;
import io.acaciafs.rpc.sasl.Authentication;
import io.acaciafs.rpc.sasl.TokenPasswords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.ProxyUsers;
import org.jspecify.annotations.Nullable;

/**
 * Kerberos, where hadoop.security.authentication asks for it: the NameNode's own login, and what
 * has to hold before it starts. Stateless, but the login is the whole process's.
 *
 * <p>Source: {@code NameNode.loginAsNameNodeUser}, {@code
 * BlockManager.createBlockTokenSecretManager}.
 */
public final class KerberosLogin {
  private static final String KEY = CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION;

  private KerberosLogin() {}

  /** Whether clients have to prove who they are. */
  public static boolean isWanted(Configuration conf) {
    return conf.getTrimmed(KEY, "simple").equalsIgnoreCase("kerberos");
  }

  /**
   * Refuses what would look secure and is not.
   *
   * @throws IOException with a sentence, in HDFS's words where it has any
   */
  static void requireTokens(Configuration conf) throws IOException {
    if (!isWanted(conf)) {
      String value = conf.getTrimmed(KEY, "simple");
      if (!value.isEmpty() && !value.equalsIgnoreCase("simple")) {
        throw new IOException(KEY + " is '" + value + "': simple and kerberos are known");
      }
      return;
    }
    if (!TokenSettings.of(conf).isEnabled()) {
      throw new IOException(
          "Security is enabled but block access tokens (via "
              + DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY
              + ") aren't enabled. This may cause issues when clients attempt to connect to a"
              + " DataNode. Aborting NameNode");
    }
  }

  /**
   * Logs this process in with dfs.namenode.keytab.file as dfs.namenode.kerberos.principal, if
   * Kerberos is wanted. The principal's short name is the superuser.
   *
   * @throws IOException when there is no keytab or no such key in it
   */
  public static void login(Configuration conf) throws IOException {
    if (!isWanted(conf)) {
      return;
    }
    UserGroupInformation.setConfiguration(conf);
    SecurityUtil.login(
        conf,
        DFSConfigKeys.DFS_NAMENODE_KEYTAB_FILE_KEY,
        DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY,
        DFSUtilClient.getNNAddress(conf).getHostName());
    ProxyUsers.refreshSuperUserGroupsConfiguration(conf);
  }

  /**
   * Logs in a tool that opens the store on the servers that keep it, if Kerberos is wanted: as the
   * NameNode where the user may read its keytab, else by the user's own ticket.
   *
   * @throws IOException when the keytab has no such key
   */
  public static void loginTool(Configuration conf) throws IOException {
    String keytab = conf.getTrimmed(DFSConfigKeys.DFS_NAMENODE_KEYTAB_FILE_KEY, "");
    if (!keytab.isEmpty() && Files.isReadable(Path.of(keytab))) {
      login(conf);
    } else if (isWanted(conf)) {
      UserGroupInformation.setConfiguration(conf);
    }
  }

  /**
   * How clients may prove who they are, once this process has logged in: as in HDFS by a delegation
   * token too, even where they need not prove anything.
   */
  public static @Nullable Authentication authentication(Configuration conf, TokenPasswords tokens)
      throws IOException {
    return Authentication.of(conf, UserGroupInformation.getLoginUser(), tokens);
  }
}
