package io.acaciafs.kv.raft.call;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Says of a client's certificate that is not taken what stands in it, in the exception by which the
 * handshake ends. Any thread.
 */
final class ExplainedTrust extends X509ExtendedTrustManager {
  private final X509ExtendedTrustManager trust;

  /**
   * @param trust decides
   */
  ExplainedTrust(X509ExtendedTrustManager trust) {
    this.trust = trust;
  }

  /** Of a client. */
  private interface Check {
    void run() throws CertificateException;
  }

  private static void explain(X509Certificate[] chain, Check check) throws CertificateException {
    try {
      check.run();
    } catch (CertificateException e) {
      if (chain.length == 0) {
        throw e;
      }
      X509Certificate shown = chain[0];
      String facts =
          e.getMessage()
              + " subject="
              + shown.getSubjectX500Principal().getName()
              + " issuer="
              + shown.getIssuerX500Principal().getName()
              + " until="
              + shown.getNotAfter();
      throw new CertificateException(facts, e.getCause()); // by which TLS chooses what it answers
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    explain(chain, () -> trust.checkClientTrusted(chain, authType, socket));
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    explain(chain, () -> trust.checkClientTrusted(chain, authType, engine));
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    explain(chain, () -> trust.checkClientTrusted(chain, authType));
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
