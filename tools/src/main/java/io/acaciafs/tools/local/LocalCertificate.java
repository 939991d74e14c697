package io.acaciafs.tools.local;

import io.acaciafs.tools.common.CommandFailure;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/**
 * A certificate of localhost that it signed itself, by the JDK's keytool, and the files by which
 * Hadoop's servers use it and its clients trust it. Stateless.
 */
final class LocalCertificate {
  /** For {@code dfs.https.server.keystore.resource}; of the servers alone. */
  static final String SERVER = "standalone-ssl-server.xml";

  /** For {@code hadoop.ssl.client.conf}. */
  static final String CLIENT = "standalone-ssl-client.xml";

  /** For curl and its like. */
  static final String PEM = "localhost.pem";

  private static final String TYPE = "pkcs12";
  private static final String ALIAS = "localhost";
  private static final int LIMIT_SECONDS = 60;

  /** No secret: what it opens holds none. */
  private static final String PASSWORD_OF_TRUSTED = "trusted";

  private LocalCertificate() {}

  /** Makes the files in a folder, unless an earlier start did. */
  static void make(Path folder) throws IOException, CommandFailure {
    if (Files.exists(folder.resolve(CLIENT))) {
      return;
    }
    Path store = folder.resolve("server.p12").toAbsolutePath();
    Path trusted = folder.resolve("trusted.p12").toAbsolutePath();
    String password = UUID.randomUUID().toString();
    Files.deleteIfExists(store); // of a start that was broken off
    SecretFiles.write(
        store,
        part -> {
          Files.delete(part); // keytool wants none, and the folder is its owner's alone
          generate(part, password);
          Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rw-------"));
        });
    try {
      Certificate certificate = read(store, password).getCertificate(ALIAS);
      writeTrusted(trusted, certificate);
      writePem(folder.resolve(PEM), certificate);
    } catch (GeneralSecurityException e) {
      throw new CommandFailure("The certificate in " + store + " cannot be read.", e);
    }
    Configuration server = new Configuration(false);
    server.set("ssl.server.keystore.location", store.toString());
    server.set("ssl.server.keystore.type", TYPE);
    server.set("ssl.server.keystore.password", password);
    server.set("ssl.server.keystore.keypassword", password);
    SecretFiles.write(folder.resolve(SERVER), server);
    Configuration client = new Configuration(false);
    client.set("ssl.client.truststore.location", trusted.toString());
    client.set("ssl.client.truststore.type", TYPE);
    client.set("ssl.client.truststore.password", PASSWORD_OF_TRUSTED);
    SecretFiles.write(folder.resolve(CLIENT), client);
  }

  private static void generate(Path store, String password) throws IOException {
    ProcessBuilder keytool =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            ALIAS,
            "-keyalg",
            "EC",
            "-dname",
            "CN=localhost",
            "-ext",
            "SAN=dns:localhost,ip:127.0.0.1",
            "-validity",
            "3650",
            "-storetype",
            TYPE,
            "-keystore",
            store.toString(),
            "-storepass:env",
            "STORE_PASSWORD");
    keytool.environment().put("STORE_PASSWORD", password);
    Path said = store.resolveSibling("keytool.log");
    Process process = keytool.redirectErrorStream(true).redirectOutput(said.toFile()).start();
    try {
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IOException("keytool made no certificate; it said: " + Files.readString(said));
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while keytool made a certificate", e);
    }
    Files.delete(said);
  }

  private static KeyStore read(Path store, String password)
      throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance(TYPE);
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, password.toCharArray());
    }
    return keys;
  }

  private static void writeTrusted(Path file, Certificate certificate)
      throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance(TYPE);
    keys.load(null, null);
    keys.setCertificateEntry(ALIAS, certificate);
    try (OutputStream out = Files.newOutputStream(file)) {
      keys.store(out, PASSWORD_OF_TRUSTED.toCharArray());
    }
  }

  private static void writePem(Path file, Certificate certificate)
      throws IOException, GeneralSecurityException {
    byte[] line = "\n".getBytes(StandardCharsets.US_ASCII);
    String text = Base64.getMimeEncoder(64, line).encodeToString(certificate.getEncoded());
    Files.writeString(
        file, "-----BEGIN CERTIFICATE-----\n" + text + "\n-----END CERTIFICATE-----\n");
  }
}
