package io.acaciafs.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.math.BigInteger;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateReloadTest {
  private static final String SETTINGS = "ssl-of-reload.xml";

  @TempDir private static Path folder;
  private static Certificates certificates;
  private final SslContextFactory.Server shown = new SslContextFactory.Server();
  private final ClassLoader before = Thread.currentThread().getContextClassLoader();
  private final Path keystore = folder.resolve("shown");
  private CertificateReload reload;

  @BeforeAll
  static void makeCertificates() throws Exception {
    certificates = new Certificates(folder);
    certificates.sign("first");
    certificates.sign("second");
  }

  @BeforeEach
  void start() throws Exception {
    Files.copy(certificates.store("first"), keystore, StandardCopyOption.REPLACE_EXISTING);
    Configuration server = new Configuration(false);
    server.set("ssl.server.keystore.location", keystore.toString());
    server.set("ssl.server.keystore.type", "pkcs12");
    server.set("ssl.server.keystore.password", Certificates.PASSWORD);
    server.set("ssl.server.keystore.keypassword", Certificates.PASSWORD);
    try (OutputStream out = Files.newOutputStream(folder.resolve(SETTINGS))) {
      server.writeXml(out);
    }
    Thread.currentThread()
        .setContextClassLoader(new URLClassLoader(new URL[] {folder.toUri().toURL()}, before));
    Configuration conf = new HdfsConfiguration();
    conf.set("dfs.https.server.keystore.resource", SETTINGS);
    conf.setLong("ssl.server.stores.reload.interval", 0); // the test looks itself
    reload = new CertificateReload(conf, shown);
    shown.setKeyStorePath(keystore.toString());
    shown.setKeyStorePassword(Certificates.PASSWORD);
    shown.start();
  }

  @AfterEach
  void stop() throws Exception {
    reload.close();
    shown.stop();
    Thread.currentThread().setContextClassLoader(before);
  }

  private BigInteger serial() {
    shown.newSSLEngine(); // as for a connection
    return shown.getX509("a").getCertificate().getSerialNumber();
  }

  @Test
  void aCertificateStaysWhileItsNewFileIsHalfWritten() throws Exception {
    BigInteger first = serial();
    byte[] renewed = Files.readAllBytes(certificates.store("second"));
    for (int length : new int[] {0, renewed.length / 2, renewed.length - 1}) {
      Files.write(keystore, Arrays.copyOf(renewed, length));
      reload.look();
      assertThat(serial()).as("%d bytes", length).isEqualTo(first);
    }
    Files.write(keystore, renewed);
    reload.look();
    assertThat(serial()).isNotEqualTo(first);
  }

  @Test
  void aCertificateStaysWhileItsFileIsNotThere() throws Exception {
    BigInteger first = serial();
    Files.delete(keystore);
    reload.look();
    assertThat(serial()).isEqualTo(first);
    Files.copy(certificates.store("second"), keystore);
    reload.look();
    assertThat(serial()).isNotEqualTo(first);
  }

  @Test
  void aCertificateStaysWhereTheNewFileHoldsNoKey() throws Exception {
    BigInteger first = serial();
    Files.copy(certificates.store("trust"), keystore, StandardCopyOption.REPLACE_EXISTING);
    reload.look();
    assertThat(serial()).isEqualTo(first);
  }
}
