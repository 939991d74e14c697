package io.acaciafs.kv.hbase.client;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.security.User;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a site says about Kerberos between a store and its HBase. All of it are HBase's own settings
 * of clients. Stateless.
 */
public final class HBaseSecurity {
  private static final Logger LOG = LoggerFactory.getLogger(HBaseSecurity.class);
  private static final String MASTER = "hbase.master.kerberos.principal";
  private static final String REGION_SERVER = "hbase.regionserver.kerberos.principal";
  private static final String PROTECTION = "hbase.rpc.protection";
  private static final String FALLBACK = "hbase.ipc.client.fallback-to-simple-auth-allowed";

  /** What a NameNode's own settings may say as well; then they come before hbase-site.xml. */
  public static final List<String> NAMES =
      List.of(
          User.HBASE_SECURITY_CONF_KEY,
          MASTER,
          REGION_SERVER,
          PROTECTION,
          FALLBACK,
          HConstants.ZK_CLIENT_KERBEROS_PRINCIPAL,
          HConstants.ZK_CLIENT_KEYTAB_FILE);

  private HBaseSecurity() {}

  /**
   * Refuses a cluster that does not have to prove who it is, and does not want that of others.
   *
   * @throws IOException with a sentence that says what to set
   */
  public static void require(HBaseOptions options) throws IOException {
    Configuration conf = Connections.configuration(options);
    if (!User.isHBaseSecurityEnabled(conf)) {
      throw new IOException(
          "With Kerberos a NameNode keeps its files only in an HBase with Kerberos. Set "
              + User.HBASE_SECURITY_CONF_KEY
              + " to kerberos, and "
              + MASTER
              + " and "
              + REGION_SERVER
              + ", in hdfs-site.xml or in an hbase-site.xml beside it, as HBase's own hbase-site.xml"
              + " does");
    }
    for (String principal : List.of(MASTER, REGION_SERVER)) {
      if (conf.getTrimmed(principal, "").isEmpty()) {
        throw new IOException(
            User.HBASE_SECURITY_CONF_KEY
                + " is kerberos: set "
                + principal
                + " in hdfs-site.xml or in an hbase-site.xml beside it");
      }
    }
    if (conf.getBoolean(FALLBACK, false)) {
      throw new IOException(
          FALLBACK + " is true: who plays HBase would be believed. Set it to false, or remove it");
    }
    if (!conf.getTrimmed(PROTECTION, "").equalsIgnoreCase("privacy")) {
      LOG.warn(
          "{} is not privacy: what is written into HBase goes there in the clear, also the keys of"
              + " tokens",
          PROTECTION);
    }
  }
}
