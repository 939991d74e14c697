package io.acaciafs.web;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.apache.commons.text.StringEscapeUtils;
import org.apache.hadoop.http.HttpServer2;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a line to Hadoop's security log for each connection at the address of HTTPS that ended
 * before it was secure: it brought no certificate where clients need one, one that is not taken, or
 * no TLS. A client that just leaves, as a port's check does, has none. Safe for use by many
 * threads.
 */
final class HandshakeLog implements SslHandshakeListener {
  private static final Logger SECURITY =
      LoggerFactory.getLogger("SecurityLogger." + HttpServer2.class.getName());

  @Override
  public void handshakeFailed(Event event, Throwable failure) {
    SSLEngine engine = event.getSSLEngine();
    if (failure instanceof SSLException) {
      SECURITY.warn(
          "Connection refused for {}:{} ({})",
          engine.getPeerHost(),
          engine.getPeerPort(),
          StringEscapeUtils.escapeJava(String.valueOf(failure.getMessage())));
    } else {
      SECURITY.debug(
          "Connection left for {}:{}", engine.getPeerHost(), engine.getPeerPort(), failure);
    }
  }
}
