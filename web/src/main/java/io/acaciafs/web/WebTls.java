package io.acaciafs.web;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.security.ssl.SSLFactory;

/** The certificates of HTTPS, as {@code ssl-server.xml} names them. Stateless. */
final class WebTls {
  private WebTls() {}

  /**
   * Reads them once, so that a NameNode that could not speak TLS does not start. Hadoop's server
   * reads them again, and anew when the files change.
   *
   * @throws IOException with a sentence that names the file or the setting, and no password
   */
  static void check(Configuration conf) throws IOException {
    Configuration ssl = DFSUtil.loadSslConfiguration(conf);
    String keystore = ssl.getTrimmed(DFSConfigKeys.DFS_SERVER_HTTPS_KEYSTORE_LOCATION_KEY, "");
    if (keystore.isEmpty()) {
      throw new IOException(
          DFSConfigKeys.DFS_HTTP_POLICY_KEY
              + " asks for HTTPS, and "
              + conf.get(
                  DFSConfigKeys.DFS_SERVER_HTTPS_KEYSTORE_RESOURCE_KEY,
                  DFSConfigKeys.DFS_SERVER_HTTPS_KEYSTORE_RESOURCE_DEFAULT)
              + " on the class path sets no "
              + DFSConfigKeys.DFS_SERVER_HTTPS_KEYSTORE_LOCATION_KEY);
    }
    read(
        keystore,
        ssl.get(SSLFactory.SSL_SERVER_KEYSTORE_TYPE, SSLFactory.SSL_SERVER_KEYSTORE_TYPE_DEFAULT),
        DFSUtil.getPassword(ssl, DFSConfigKeys.DFS_SERVER_HTTPS_KEYSTORE_PASSWORD_KEY));
    String truststore = ssl.getTrimmed(DFSConfigKeys.DFS_SERVER_HTTPS_TRUSTSTORE_LOCATION_KEY, "");
    if (!truststore.isEmpty()) {
      read(
          truststore,
          ssl.get(
              SSLFactory.SSL_SERVER_TRUSTSTORE_TYPE, SSLFactory.SSL_SERVER_TRUSTSTORE_TYPE_DEFAULT),
          DFSUtil.getPassword(ssl, DFSConfigKeys.DFS_SERVER_HTTPS_TRUSTSTORE_PASSWORD_KEY));
    }
  }

  private static void read(String file, String type, String password) throws IOException {
    try (InputStream in = Files.newInputStream(Path.of(file))) {
      KeyStore.getInstance(type).load(in, password == null ? null : password.toCharArray());
    } catch (IOException | GeneralSecurityException e) {
      throw new IOException("The keystore " + file + " cannot be read: " + e.getMessage(), e);
    }
  }
}
