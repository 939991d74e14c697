package io.acaciafs.namenode.token;

import io.acaciafs.namenode.settings.KerberosLogin;
import io.acaciafs.namenode.settings.NamespaceConfig;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * What a site says about its delegation tokens. Times are in ms.
 *
 * @param isSecure whether clients have to prove who they are
 * @param isUsed whether tokens are issued at all
 * @param keyUpdateMs after which new tokens get a new key
 * @param maxLifetimeMs after which a token can be renewed no more
 * @param renewMs for how long a token is valid without being renewed
 * @param repetitionMs for how long a call may come again whose reply was lost
 */
public record TokenSettings(
    boolean isSecure,
    boolean isUsed,
    long keyUpdateMs,
    long maxLifetimeMs,
    long renewMs,
    long repetitionMs) {

  public static TokenSettings of(Configuration conf) {
    boolean isSecure = KerberosLogin.isWanted(conf);
    return new TokenSettings(
        isSecure,
        isSecure
            || conf.getBoolean(
                DFSConfigKeys.DFS_NAMENODE_DELEGATION_TOKEN_ALWAYS_USE_KEY,
                DFSConfigKeys.DFS_NAMENODE_DELEGATION_TOKEN_ALWAYS_USE_DEFAULT),
        conf.getLong(
            DFSConfigKeys.DFS_NAMENODE_DELEGATION_KEY_UPDATE_INTERVAL_KEY,
            DFSConfigKeys.DFS_NAMENODE_DELEGATION_KEY_UPDATE_INTERVAL_DEFAULT),
        conf.getLong(
            DFSConfigKeys.DFS_NAMENODE_DELEGATION_TOKEN_MAX_LIFETIME_KEY,
            DFSConfigKeys.DFS_NAMENODE_DELEGATION_TOKEN_MAX_LIFETIME_DEFAULT),
        conf.getLong(
            DFSConfigKeys.DFS_NAMENODE_DELEGATION_TOKEN_RENEW_INTERVAL_KEY,
            DFSConfigKeys.DFS_NAMENODE_DELEGATION_TOKEN_RENEW_INTERVAL_DEFAULT),
        NamespaceConfig.retryExpiryMs(conf));
  }
}
