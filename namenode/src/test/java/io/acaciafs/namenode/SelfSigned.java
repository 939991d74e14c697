package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** A certificate of localhost, by the JDK's keytool, and what Hadoop reads to use and trust it. */
final class SelfSigned {
  /** Names of the files, for dfs.https.server.keystore.resource and hadoop.ssl.client.conf. */
  static final String SERVER = "ssl-of-server.xml";

  static final String CLIENT = "ssl-of-client.xml";

  private SelfSigned() {}

  /** Both files, and the keystore, in a folder that is to be on the class path. */
  static void write(Path folder, String password) throws Exception {
    Path store = folder.resolve("server.p12");
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
    command.addAll(
        List.of(
            ("-genkeypair -alias s -keyalg EC -dname CN=localhost -storetype PKCS12"
                    + " -ext SAN=dns:localhost,ip:127.0.0.1 -storepass "
                    + password)
                .split(" ")));
    command.addAll(List.of("-keystore", store.toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    assertThat(process.waitFor()).isZero();
    Configuration server = new Configuration(false);
    server.set("ssl.server.keystore.location", store.toString());
    server.set("ssl.server.keystore.type", "pkcs12");
    server.set("ssl.server.keystore.password", password);
    server.set("ssl.server.keystore.keypassword", password);
    server.set("ssl.server.truststore.location", store.toString());
    server.set("ssl.server.truststore.type", "pkcs12");
    server.set("ssl.server.truststore.password", password);
    write(server, folder.resolve(SERVER));
    Configuration client = new Configuration(false);
    client.set("ssl.client.truststore.location", store.toString());
    client.set("ssl.client.truststore.type", "pkcs12");
    client.set("ssl.client.truststore.password", password);
    write(client, folder.resolve(CLIENT));
  }

  /**
   * What a server reads that lets nobody in but clients of authorities.
   *
   * @param authorities in PEM
   * @return the name of the file, beside the others
   */
  static String writeServerOf(Path folder, Path authorities, String password) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    int count = 0;
    for (Certificate each :
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(authorities)))) {
      trusted.setCertificateEntry("authority" + count++, each);
    }
    Path store = folder.resolve("authorities.p12");
    try (OutputStream out = Files.newOutputStream(store)) {
      trusted.store(out, password.toCharArray());
    }
    Configuration server = new Configuration(false);
    server.addResource(folder.resolve(SERVER).toUri().toURL());
    server.set("ssl.server.truststore.location", store.toString());
    String name = "ssl-of-authorities.xml";
    write(server, folder.resolve(name));
    return name;
  }

  private static void write(Configuration settings, Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      settings.writeXml(out);
    }
  }
}
