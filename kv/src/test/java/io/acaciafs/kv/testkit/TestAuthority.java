package io.acaciafs.kv.testkit;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;

/**
 * An authority that makes certificates, in this process: keytool would be a process for each step.
 * Source of their form: RFC 5280.
 */
public final class TestAuthority {
  private static final String CA = "authority";
  private static final Duration VALID = Duration.ofDays(90);
  private static final Duration EXPIRED_FOR = Duration.ofDays(2);

  /** ecdsa-with-SHA256. */
  private static final byte[] ALGORITHM = Der.sequence(Der.identifier(1, 2, 840, 10045, 4, 3, 2));

  private static final byte[] COMMON_NAME = Der.identifier(2, 5, 4, 3);
  private static final byte[] BASIC_CONSTRAINTS = Der.identifier(2, 5, 29, 19);
  private static final byte[] ALTERNATIVE_NAMES = Der.identifier(2, 5, 29, 17);
  private static final int IP_ADDRESS = 0x87;
  private static final int VERSION = 0xA0;
  private static final int EXTENSIONS = 0xA3;

  private final Path folder;
  private final KeyPair keys = newKeys();
  private final byte[] own;
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
    byte[] isAuthority =
        Der.sequence(BASIC_CONSTRAINTS, Der.yes(), Der.octets(Der.sequence(Der.yes())));
    this.own = certificate(CA, keys.getPublic(), Instant.now().plus(VALID), isAuthority);
  }

  private static KeyPair newKeys() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(256);
    return generator.generateKeyPair();
  }

  /** The files of a server on loopback. */
  public Issued issue() throws Exception {
    return issueFor("127.0.0.1");
  }

  /** A server's files. */
  public Issued issueFor(String ip) throws Exception {
    return issue(ip, Instant.now().plus(VALID));
  }

  /** The files of a server on loopback whose certificate is no longer valid. */
  public Issued issueExpired() throws Exception {
    return issue("127.0.0.1", Instant.now().minus(EXPIRED_FOR));
  }

  private Issued issue(String ip, Instant until) throws Exception {
    String name = "server" + issued++;
    KeyPair server = newKeys();
    byte[] address = Der.value(IP_ADDRESS, InetAddress.getByName(ip).getAddress());
    byte[] names = Der.sequence(ALTERNATIVE_NAMES, Der.octets(Der.sequence(address)));
    byte[] certificate = certificate(name, server.getPublic(), until, names);
    return new Issued(
        write(name + ".key", pem("PRIVATE KEY", server.getPrivate().getEncoded())),
        write(name + ".pem", pem("CERTIFICATE", certificate) + pem("CERTIFICATE", own)),
        write("authority.pem", pem("CERTIFICATE", own)));
  }

  /** Signed by this authority. */
  private byte[] certificate(String name, PublicKey key, Instant until, byte[] extension)
      throws Exception {
    byte[] content =
        Der.sequence(
            Der.value(VERSION, Der.integer(2)),
            Der.integer(System.nanoTime()),
            ALGORITHM,
            name(CA),
            Der.sequence(Der.time(until.minus(VALID)), Der.time(until)),
            name(name),
            key.getEncoded(),
            Der.value(EXTENSIONS, Der.sequence(extension)));
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(keys.getPrivate());
    signature.update(content);
    return Der.sequence(content, ALGORITHM, Der.bits(signature.sign()));
  }

  private static byte[] name(String commonName) {
    return Der.sequence(Der.set(Der.sequence(COMMON_NAME, Der.text(commonName))));
  }

  private static String pem(String what, byte[] content) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
  }

  private Path write(String file, String text) throws Exception {
    return Files.writeString(folder.resolve(file), text);
  }
}
