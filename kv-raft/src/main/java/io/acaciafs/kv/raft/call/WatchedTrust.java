package io.acaciafs.kv.raft.call;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down which client asked this member with a certificate that is not taken: into the
 * security log, beside those whom Hadoop's servers refuse. Any thread.
 */
final class WatchedTrust extends X509ExtendedTrustManager {
  private static final Logger SECURITY =
      LoggerFactory.getLogger("SecurityLogger." + WatchedTrust.class.getName());

  private final X509ExtendedTrustManager trust;

  /**
   * @param trust decides
   */
  WatchedTrust(X509ExtendedTrustManager trust) {
    this.trust = trust;
  }

  /** Of a client. */
  private interface Check {
    void run() throws CertificateException;
  }

  private static void watch(X509Certificate[] chain, Check check) throws CertificateException {
    try {
      check.run();
    } catch (CertificateException e) {
      X509Certificate shown = chain.length == 0 ? null : chain[0];
      SECURITY.warn(
          "Member refused subject={} issuer={} until={} reason={}",
          shown == null ? null : harmless(shown.getSubjectX500Principal().getName()),
          shown == null ? null : harmless(shown.getIssuerX500Principal().getName()),
          shown == null ? null : shown.getNotAfter(),
          harmless(String.valueOf(e.getMessage())));
      throw e;
    }
  }

  /** A stranger chooses what its certificate says. */
  private static String harmless(String text) {
    return text.replaceAll("[\\p{Cntrl}\\p{Zl}\\p{Zp}]", "?");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    watch(chain, () -> trust.checkClientTrusted(chain, authType, socket));
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    watch(chain, () -> trust.checkClientTrusted(chain, authType, engine));
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    watch(chain, () -> trust.checkClientTrusted(chain, authType));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    trust.checkServerTrusted(chain, authType, socket);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    trust.checkServerTrusted(chain, authType, engine);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    trust.checkServerTrusted(chain, authType);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return trust.getAcceptedIssuers();
  }
}
