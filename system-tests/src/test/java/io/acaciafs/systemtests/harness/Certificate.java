package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** A certificate of localhost, by the JDK's keytool, and Hadoop's settings to use and trust it. */
final class Certificate {
  /** The names that Hadoop looks for on the class path. */
  static final String SERVER = "ssl-server.xml";

  static final String CLIENT = "ssl-client.xml";

  private static final String PASSWORD = "changeit";

  private Certificate() {}

  /** Writes the keystore and both files of settings. */
  static void write(Path folder) throws IOException, InterruptedException {
    Path store = folder.resolve("localhost.p12");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(
        List.of(
            ("-genkeypair -alias s -keyalg EC -dname CN=localhost -storetype PKCS12"
                    + " -ext SAN=dns:localhost,ip:127.0.0.1 -storepass "
                    + PASSWORD)
                .split(" ")));
    command.addAll(List.of("-keystore", store.toString()));
    Path log = folder.resolve("keytool.log");
    Process keytool =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (keytool.waitFor() != 0) {
      throw new AssertionError(Files.readString(log));
    }
    Configuration server = new Configuration(false);
    server.set("ssl.server.keystore.location", store.toString());
    server.set("ssl.server.keystore.type", "pkcs12");
    server.set("ssl.server.keystore.password", PASSWORD);
    server.set("ssl.server.keystore.keypassword", PASSWORD);
    write(server, folder.resolve(SERVER));
    Configuration client = new Configuration(false);
    client.set("ssl.client.truststore.location", store.toString());
    client.set("ssl.client.truststore.type", "pkcs12");
    client.set("ssl.client.truststore.password", PASSWORD);
    write(client, folder.resolve(CLIENT));
  }

  private static void write(Configuration settings, Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      settings.writeXml(out);
    }
  }
}
