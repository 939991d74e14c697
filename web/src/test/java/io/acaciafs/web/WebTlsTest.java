package io.acaciafs.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigInteger;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.security.alias.CredentialProvider;
import org.apache.hadoop.security.alias.CredentialProviderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** HTTPS as ssl-server.xml and dfs.http.policy say, and Hadoop's own client of it. */
@Timeout(120)
class WebTlsTest {
  private static final int TIMEOUT_MS = 30_000;
  private static final int RELOAD_MS = 20;
  @TempDir private static Path folder;
  private static Certificates certificates;
  private static ClassLoader before;

  private final Configuration conf = new HdfsConfiguration();
  private final Configuration server = new Configuration(false);
  private final Configuration client = new Configuration(false);

  @BeforeAll
  static void makeCertificates() throws Exception {
    certificates = new Certificates(folder);
    certificates.sign("server");
    certificates.sign("expired", "-startdate", "-10d", "-validity", "5");
    certificates.sign("client");
    before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread()
        .setContextClassLoader(new URLClassLoader(new URL[] {folder.toUri().toURL()}, before));
  }

  @AfterAll
  static void forgetFolder() {
    Thread.currentThread().setContextClassLoader(before);
  }

  @BeforeEach
  void configure() {
    conf.set("dfs.http.policy", "HTTPS_ONLY");
    conf.set("dfs.namenode.http-address", "localhost:0");
    conf.set("dfs.namenode.https-address", "localhost:0");
    conf.set("dfs.https.server.keystore.resource", "ssl-of-server.xml");
    conf.set("hadoop.ssl.client.conf", "ssl-of-client.xml");
    keystore(server, "ssl.server.keystore", "server");
    server.set("ssl.server.keystore.keypassword", Certificates.PASSWORD);
    keystore(client, "ssl.client.truststore", "trust");
  }

  @AfterEach
  void forgetFiles() throws IOException {
    Files.deleteIfExists(folder.resolve("ssl-of-server.xml"));
    Files.deleteIfExists(folder.resolve("ssl-of-client.xml"));
  }

  private static void keystore(Configuration settings, String prefix, String name) {
    settings.set(prefix + ".location", certificates.store(name).toString());
    settings.set(prefix + ".type", "pkcs12");
    settings.set(prefix + ".password", Certificates.PASSWORD);
  }

  private static void write(Configuration settings, String name) throws IOException {
    try (OutputStream out = Files.newOutputStream(folder.resolve(name))) {
      settings.writeXml(out);
    }
  }

  private WebServer start() throws IOException {
    write(server, "ssl-of-server.xml");
    WebServer started = WebServer.bind(conf);
    started.start(List.of());
    started.started().join(); // has read the file
    return started;
  }

  private String get(String scheme, InetSocketAddress address) throws Exception {
    write(client, "ssl-of-client.xml");
    URLConnectionFactory factory =
        URLConnectionFactory.newDefaultURLConnectionFactory(TIMEOUT_MS, TIMEOUT_MS, conf);
    try {
      URI uri = URI.create(scheme + "://localhost:" + address.getPort() + "/isThere");
      HttpURLConnection connection = (HttpURLConnection) factory.openConnection(uri.toURL());
      if (connection.getResponseCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        return connection.getResponseCode() + " " + connection.getResponseMessage();
      }
      try (InputStream in = connection.getErrorStream()) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    } finally {
      factory.destroy();
    }
  }

  @Test
  void httpsAloneTakesOneAddress() throws Exception {
    try (WebServer web = start()) {
      assertThat(web.addresses()).containsOnlyKeys("dfs.namenode.https-address");
      assertThat(web.address().getPort()).isPositive();
      assertThat(get("https", web.address())).contains("/isThere");
      assertThatThrownBy(() -> get("http", web.address())).isInstanceOf(IOException.class);
    }
  }

  @Test
  void bothAreServedWhereThePolicySaysSo() throws Exception {
    conf.set("dfs.http.policy", "HTTP_AND_HTTPS");
    try (WebServer web = start()) {
      assertThat(get("http", web.addresses().get("dfs.namenode.http-address")))
          .contains("/isThere");
      assertThat(get("https", web.addresses().get("dfs.namenode.https-address")))
          .contains("/isThere");
    }
  }

  @Test
  void theBindHostOfHttpsTakesThePlaceOfTheAddress() throws Exception {
    conf.set("dfs.namenode.https-address", "name.invalid:0");
    conf.set("dfs.namenode.https-bind-host", "127.0.0.1");
    try (WebServer web = start()) {
      assertThat(get("https", web.address())).contains("/isThere");
    }
  }

  @Test
  void aClientRefusesACertificateThatHasExpired() throws Exception {
    keystore(server, "ssl.server.keystore", "expired");
    try (WebServer web = start()) {
      assertThatThrownBy(() -> get("https", web.address()))
          .isInstanceOf(SSLException.class)
          .rootCause()
          .hasMessageContaining("NotAfter");
    }
  }

  @Test
  void aClientRefusesACertificateOfAnotherAuthority() throws Exception {
    keystore(client, "ssl.client.truststore", "client"); // which has no authority's
    try (WebServer web = start()) {
      assertThatThrownBy(() -> get("https", web.address())).isInstanceOf(SSLException.class);
    }
  }

  @Test
  void whoHasNoCertificateIsRefusedWhereClientsNeedOne() throws Exception {
    conf.set("dfs.client.https.need-auth", "true");
    keystore(server, "ssl.server.truststore", "trust");
    try (WebServer web = start()) {
      assertThatThrownBy(() -> get("https", web.address())).isInstanceOf(IOException.class);

      conf.set("hadoop.ssl.require.client.cert", "true");
      keystore(client, "ssl.client.keystore", "client");
      client.set("ssl.client.keystore.keypassword", Certificates.PASSWORD);
      assertThat(get("https", web.address())).contains("/isThere");

      keystore(client, "ssl.client.keystore", "expired");
      assertThatThrownBy(() -> get("https", web.address())).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aCipherThatIsExcludedIsNotSpoken() throws Exception {
    server.set(
        "ssl.server.exclude.cipher.list", "TLS_AES_256_GCM_SHA384,TLS_CHACHA20_POLY1305_SHA256");
    try (WebServer web = start()) {
      assertThat(cipher(web, "TLS_AES_128_GCM_SHA256")).isEqualTo("TLS_AES_128_GCM_SHA256");
      assertThatThrownBy(() -> cipher(web, "TLS_AES_256_GCM_SHA384"))
          .isInstanceOf(SSLException.class);
    }
  }

  private static String cipher(WebServer web, String offered) throws Exception {
    return session(web, offered).getCipherSuite();
  }

  /** Which certificate it shows. */
  private static BigInteger serial(WebServer web) throws Exception {
    Certificate shown = session(web).getPeerCertificates()[0];
    return ((X509Certificate) shown).getSerialNumber();
  }

  /**
   * @param offered ciphers; none: all
   */
  private static SSLSession session(WebServer web, String... offered) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(certificates.store("trust"))) {
      trusted.load(in, Certificates.PASSWORD.toCharArray());
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    try (SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket("localhost", web.address().getPort())) {
      socket.setSoTimeout(TIMEOUT_MS);
      if (offered.length > 0) {
        socket.setEnabledCipherSuites(offered);
      }
      socket.startHandshake();
      return socket.getSession();
    }
  }

  /** Without a restart, and without a moment in which none is. */
  @Test
  void aCertificateThatIsRenewedIsShown() throws Exception {
    conf.setLong("ssl.server.stores.reload.interval", RELOAD_MS);
    certificates.sign("first");
    certificates.sign("second");
    put("server", "shown");
    keystore(server, "ssl.server.keystore", "shown");
    try (WebServer web = start()) {
      BigInteger before = serial(web);
      put("first", "shown");
      awaitOther(web, before);
      BigInteger first = serial(web);
      Path spoilt = Files.writeString(folder.resolve("spoilt"), "half a file");
      Files.move(spoilt, certificates.store("shown"), StandardCopyOption.REPLACE_EXISTING);
      put("second", "shown");
      awaitOther(web, first);
      assertThat(get("https", web.address())).contains("/isThere");
    }
  }

  /** As a tool does that renews certificates: there is never half a file. */
  private static void put(String from, String to) throws IOException {
    Path made = Files.copy(certificates.store(from), folder.resolve("made"));
    Files.move(made, certificates.store(to), StandardCopyOption.REPLACE_EXISTING);
  }

  private static void awaitOther(WebServer web, BigInteger than) throws Exception {
    long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS);
    while (serial(web).equals(than)) {
      assertThat(System.nanoTime()).as("the certificate is shown").isLessThan(endNs);
    }
  }

  @Test
  void passwordsMayStandInAFileOfCredentials() throws Exception {
    String provider = "localjceks://file" + folder.resolve("credentials.jceks");
    Configuration credentials = new Configuration(false);
    credentials.set("hadoop.security.credential.provider.path", provider);
    CredentialProvider file = CredentialProviderFactory.getProviders(credentials).get(0);
    for (String password : List.of("password", "keypassword")) {
      file.createCredentialEntry(
          "ssl.server.keystore." + password, Certificates.PASSWORD.toCharArray());
      server.unset("ssl.server.keystore." + password);
    }
    file.flush();
    server.set("hadoop.security.credential.provider.path", provider);
    try (WebServer web = start()) {
      assertThat(get("https", web.address())).contains("/isThere");
    }
  }

  @Test
  void aPasswordThatIsWrongIsNotToldToAnybody() {
    server.set("ssl.server.keystore.password", "secret-of-another");
    assertThatThrownBy(this::start)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("The keystore " + certificates.store("server") + " cannot be read")
        .hasMessageNotContaining("secret-of-another");
  }

  @Test
  void anAddressThatIsTakenIsNamed() throws Exception {
    try (WebServer web = start()) {
      conf.set("dfs.namenode.https-address", "localhost:" + web.address().getPort());
      assertThatThrownBy(this::start)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("(dfs.namenode.https-address)");
    }
  }

  /** A NameNode that changes its role goes on without HTTP, where a file was spoilt meanwhile. */
  @Test
  void aKeystoreThatWasSpoiltKeepsNobodyFromServingElse() throws Exception {
    server.set("ssl.server.keystore.password", "not this one");
    assertThatThrownBy(this::start).isInstanceOf(IOException.class);
    try (WebServer web = WebServer.bindAgain(conf)) {
      web.start(List.of());
      assertThatThrownBy(() -> web.started().join()).isInstanceOf(CompletionException.class);
    }
  }
}
