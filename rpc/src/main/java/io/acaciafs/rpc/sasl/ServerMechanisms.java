package io.acaciafs.rpc.sasl;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.security.PrivilegedExceptionAction;
import java.util.Map;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.CallbackHandler;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.sasl.AuthorizeCallback;
import javax.security.sasl.SaslServer;
import javax.security.sasl.SaslServerFactory;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.SaslRpcServer;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * The mechanisms of the JDK, with the properties that hold for one client. Any thread.
 *
 * <p>Source: {@code SaslRpcServer.create}.
 */
final class ServerMechanisms implements Mechanisms {
  private final SaslServerFactory factory;
  private final Map<String, ?> properties;
  private final UserGroupInformation login;

  /**
   * @param properties as {@code SaslPropertiesResolver} tells them
   * @param login whom Kerberos' clients ask for
   */
  ServerMechanisms(
      SaslServerFactory factory, Map<String, ?> properties, UserGroupInformation login) {
    this.factory = factory;
    this.properties = properties;
    this.login = login;
  }

  @Override
  public SaslServer create(AuthMethod method, @Nullable CallbackHandler tokens) throws IOException {
    if (method != AuthMethod.KERBEROS) {
      return createAsServer(method, tokens);
    }
    try {
      return login.doAs(
          (PrivilegedExceptionAction<SaslServer>) () -> createAsServer(method, tokens));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while a client authenticated");
    }
  }

  private SaslServer createAsServer(AuthMethod method, @Nullable CallbackHandler tokens)
      throws IOException {
    SaslRpcServer names = new SaslRpcServer(method);
    SaslServer server =
        factory.createSaslServer(
            names.mechanism,
            names.protocol,
            names.serverId,
            properties,
            tokens == null ? ServerMechanisms::ofKerberos : tokens);
    if (server == null) {
      throw new AccessControlException(
          "Unable to find SASL server implementation for " + names.mechanism);
    }
    return server;
  }

  private static void ofKerberos(Callback[] callbacks) throws UnsupportedCallbackException {
    for (Callback callback : callbacks) {
      if (!(callback instanceof AuthorizeCallback asked)) {
        throw new UnsupportedCallbackException(callback, "Unrecognized SASL GSSAPI Callback");
      }
      TokenCallbacks.authorize(asked);
    }
  }
}
