package io.acaciafs.web;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.security.ssl.SSLFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/** The certificates of HTTPS, as {@code ssl-server.xml} names them. Stateless. */
final class WebTls {
  private WebTls() {}

  /**
   * What the files hold.
   *
   * @param trust null: the keystore says which certificates of clients are taken
   * @param password of the keystore
   * @param keyPassword of the key in it; null: the same
   */
  record Stores(
      KeyStore keys,
      @Nullable KeyStore trust,
      @Nullable String password,
      @Nullable String keyPassword) {
    void giveTo(SslContextFactory factory) {
      factory.setKeyStore(keys);
      factory.setKeyStorePassword(password);
      if (keyPassword != null) {
        factory.setKeyManagerPassword(keyPassword);
      }
      factory.setTrustStore(trust == null ? keys : trust);
    }

    /**
     * @throws Exception when a server could not show them: there is no key, or the password does
     *     not open it
     */
    void requireFit() throws Exception {
      boolean hasKey = false;
      for (String alias : Collections.list(keys.aliases())) {
        hasKey |= keys.isKeyEntry(alias);
      }
      if (!hasKey) {
        throw new IOException("The keystore holds no key");
      }
      SslContextFactory.Server trial = new SslContextFactory.Server();
      giveTo(trial);
      trial.start();
      trial.stop();
    }
  }

  /** The keystore, and the truststore if there is one. */
  static List<File> files(Configuration conf) {
    Configuration ssl = DFSUtil.loadSslConfiguration(conf);
    return Stream.of(keystore(ssl), truststore(ssl))
        .filter(file -> !file.isEmpty())
        .map(File::new)
        .toList();
  }

  private static String keystore(Configuration ssl) {
    return ssl.getTrimmed(DFSConfigKeys.DFS_SERVER_HTTPS_KEYSTORE_LOCATION_KEY, "");
  }

  private static String truststore(Configuration ssl) {
    return ssl.getTrimmed(DFSConfigKeys.DFS_SERVER_HTTPS_TRUSTSTORE_LOCATION_KEY, "");
  }

  /**
   * Reads them as they are now; at the start so that a NameNode that could not speak TLS does not
   * start.
   *
   * @throws IOException with a sentence that names the file or the setting, and no password
   */
  static Stores read(Configuration conf) throws IOException {
    Configuration ssl = DFSUtil.loadSslConfiguration(conf);
    String keystore = keystore(ssl);
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
    String password =
        DFSUtil.getPassword(ssl, DFSConfigKeys.DFS_SERVER_HTTPS_KEYSTORE_PASSWORD_KEY);
    KeyStore keys =
        read(
            keystore,
            ssl.get(
                SSLFactory.SSL_SERVER_KEYSTORE_TYPE, SSLFactory.SSL_SERVER_KEYSTORE_TYPE_DEFAULT),
            password);
    String truststore = truststore(ssl);
    KeyStore trust =
        truststore.isEmpty()
            ? null
            : read(
                truststore,
                ssl.get(
                    SSLFactory.SSL_SERVER_TRUSTSTORE_TYPE,
                    SSLFactory.SSL_SERVER_TRUSTSTORE_TYPE_DEFAULT),
                DFSUtil.getPassword(ssl, DFSConfigKeys.DFS_SERVER_HTTPS_TRUSTSTORE_PASSWORD_KEY));
    return new Stores(
        keys,
        trust,
        password,
        DFSUtil.getPassword(ssl, DFSConfigKeys.DFS_SERVER_HTTPS_KEYPASSWORD_KEY));
  }

  private static KeyStore read(String file, String type, @Nullable String password)
      throws IOException {
    try (InputStream in = Files.newInputStream(Path.of(file))) {
      KeyStore store = KeyStore.getInstance(type);
      store.load(in, password == null ? null : password.toCharArray());
      return store;
    } catch (IOException | GeneralSecurityException e) {
      throw new IOException("The keystore " + file + " cannot be read: " + e.getMessage(), e);
    }
  }
}
