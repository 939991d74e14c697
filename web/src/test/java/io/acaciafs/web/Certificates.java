package io.acaciafs.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Keystores of an authority of its own, by the JDK's keytool, in a folder. */
final class Certificates {
  static final String PASSWORD = "opensesame";
  private final Path folder;

  /** The authority's own certificate is in {@code trust.p12}. */
  Certificates(Path folder) throws Exception {
    this.folder = folder;
    makeKey("authority", "-ext", "bc:c");
    export("authority", "trust");
  }

  Path store(String name) {
    return folder.resolve(name + ".p12");
  }

  private void makeKey(String name, String... options) throws Exception {
    List<String> arguments =
        new ArrayList<>(List.of("-genkeypair", "-keyalg", "EC", "-dname", "CN=" + name));
    arguments.addAll(List.of(options));
    keytool(name, new byte[0], arguments.toArray(String[]::new));
  }

  /** A key for localhost, signed by the authority. */
  void sign(String name, String... validity) throws Exception {
    makeKey(name);
    byte[] request = keytool(name, new byte[0], "-certreq");
    List<String> sign =
        new ArrayList<>(List.of("-gencert", "-rfc", "-ext", "SAN=dns:localhost,ip:127.0.0.1"));
    sign.addAll(List.of(validity));
    byte[] certificate = keytool("authority", request, sign.toArray(String[]::new));
    byte[] authority = keytool("authority", new byte[0], "-exportcert", "-rfc");
    byte[] chain = new byte[certificate.length + authority.length];
    System.arraycopy(certificate, 0, chain, 0, certificate.length);
    System.arraycopy(authority, 0, chain, certificate.length, authority.length);
    keytool(name, chain, "-importcert", "-noprompt");
  }

  private void export(String from, String to) throws Exception {
    byte[] certificate = keytool(from, new byte[0], "-exportcert", "-rfc");
    keytool(to, certificate, "-importcert", "-noprompt");
  }

  private byte[] keytool(String store, byte[] input, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(
        List.of(
            "-alias",
            "a",
            "-storetype",
            "PKCS12",
            "-storepass",
            PASSWORD,
            "-keystore",
            store(store).toString()));
    Path in = Files.write(folder.resolve("keytool.in"), input);
    Process process =
        new ProcessBuilder(command)
            .redirectInput(in.toFile())
            .redirectErrorStream(false)
            .redirectError(folder.resolve("keytool.err").toFile())
            .start();
    byte[] output = process.getInputStream().readAllBytes();
    assertThat(process.waitFor()).as(said()).isZero();
    return output;
  }

  private String said() throws IOException {
    return Files.readString(folder.resolve("keytool.err"));
  }
}
