package io.acaciafs.kv.testkit;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** An authority that makes certificates, by the JDK's keytool. */
public final class TestAuthority {
  private static final String PASSWORD = "changeit";
  private static final String CA = "authority";

  private final Path folder;
  private final Path store;
  private int issued;

  /**
   * The files of a server, in PEM.
   *
   * @param certificate its chain
   * @param authorities in whom it trusts
   */
  public record Issued(Path key, Path certificate, Path authorities) {}

  /**
   * @param folder of its files; made
   */
  public TestAuthority(Path folder) throws Exception {
    this.folder = Files.createDirectories(folder);
    this.store = folder.resolve("store.p12");
    generate(CA, "-ext", "bc:critical=ca:true");
  }

  /** The files of a server on loopback. */
  public Issued issue(String... options) throws Exception {
    return issueFor("127.0.0.1", options);
  }

  /**
   * A server's files.
   *
   * @param options of keytool, for its certificate
   */
  public Issued issueFor(String ip, String... options) throws Exception {
    String name = "server" + issued++;
    generate(name);
    byte[] request = keytool(new byte[0], "-certreq", "-alias", name);
    List<String> sign =
        new ArrayList<>(List.of("-gencert", "-alias", CA, "-rfc", "-ext", "san=ip:" + ip));
    sign.addAll(List.of(options));
    byte[] certificate = keytool(request, sign.toArray(String[]::new));
    Path chain = Files.write(folder.resolve(name + ".pem"), certificate);
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    Path key =
        pem("PRIVATE KEY", name + ".key", keys.getKey(name, PASSWORD.toCharArray()).getEncoded());
    Certificate own = keys.getCertificate(CA);
    return new Issued(key, chain, pem("CERTIFICATE", "authority.pem", own.getEncoded()));
  }

  private Path pem(String what, String file, byte[] content) throws Exception {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return Files.writeString(
        folder.resolve(file),
        "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
  }

  private void generate(String name, String... options) throws Exception {
    List<String> all =
        new ArrayList<>(
            List.of("-genkeypair", "-alias", name, "-keyalg", "EC", "-dname", "CN=" + name));
    all.addAll(List.of(options));
    keytool(new byte[0], all.toArray(String[]::new));
  }

  private byte[] keytool(byte[] input, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.add("-J-XX:TieredStopAtLevel=1"); // it starts sooner
    command.addAll(
        List.of("-keystore", store.toString(), "-storepass", PASSWORD, "-storetype", "PKCS12"));
    Path errors = folder.resolve("errors");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    process.getOutputStream().write(input);
    process.getOutputStream().close();
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    process.getInputStream().transferTo(output);
    if (process.waitFor() != 0) {
      throw new IllegalStateException(
          String.join(" ", command)
              + "\n"
              + output.toString(StandardCharsets.UTF_8)
              + Files.readString(errors));
    }
    return output.toByteArray();
  }
}
