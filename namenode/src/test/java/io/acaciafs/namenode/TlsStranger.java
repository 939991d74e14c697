package io.acaciafs.namenode;

import io.acaciafs.kv.testkit.TestAuthority.Issued;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * A client at a port where certificates are wanted, with one of its own, with none, or without TLS.
 */
final class TlsStranger {
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final int PATIENCE_MS = 60_000;

  private final SSLContext tls;

  /**
   * @param shown what it shows
   */
  TlsStranger(Issued shown) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    byte[] key =
        Base64.getMimeDecoder()
            .decode(Files.readString(shown.key()).replaceAll("-----[A-Z ]+-----", ""));
    Certificate[] chain =
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(shown.certificate())))
            .toArray(Certificate[]::new);
    store.setKeyEntry(
        "own",
        KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(key)),
        PASSWORD,
        chain);
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(store, PASSWORD);
    tls = SSLContext.getInstance("TLS");
    tls.init(keys.getKeyManagers(), new TrustManager[] {new All()}, null);
  }

  /** Without a certificate. */
  TlsStranger() throws Exception {
    tls = SSLContext.getInstance("TLS");
    tls.init(null, new TrustManager[] {new All()}, null);
  }

  /**
   * Asks without TLS, and reads until it is told why not.
   *
   * @return the port that it came from
   */
  static int askPlainly(int port) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(PATIENCE_MS);
      socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes());
      try {
        socket.getInputStream().readAllBytes();
      } catch (SocketException e) {
        return socket.getLocalPort(); // refused without a word
      }
      return socket.getLocalPort();
    }
  }

  /**
   * Asks, and reads until it is told why not.
   *
   * @return the port that it came from
   * @throws IOException never but when something breaks that should not
   */
  int ask(int port) throws IOException {
    try (SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket("127.0.0.1", port)) {
      socket.setSoTimeout(PATIENCE_MS);
      int own = socket.getLocalPort();
      try {
        socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes());
        int first = socket.getInputStream().read();
        throw new AssertionError("it was let in, and heard " + first);
      } catch (SSLException | SocketException e) {
        return own; // refused
      }
    }
  }

  /** What a server shows to one that it lets in. */
  X509Certificate shownBy(int port) throws IOException {
    try (SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket("127.0.0.1", port)) {
      socket.setSoTimeout(PATIENCE_MS);
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }

  /** Believes everybody. */
  private static final class All extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
