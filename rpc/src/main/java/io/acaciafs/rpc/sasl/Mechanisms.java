package io.acaciafs.rpc.sasl;

import java.io.IOException;
import javax.security.auth.callback.CallbackHandler;
import javax.security.sasl.SaslServer;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.jspecify.annotations.Nullable;

/** Makes the server's side of an exchange with one client. */
@FunctionalInterface
interface Mechanisms {
  /**
   * @param tokens looks passwords of tokens up; null where there are none
   * @throws IOException AccessControlException if there is no such mechanism
   */
  SaslServer create(AuthMethod method, @Nullable CallbackHandler tokens) throws IOException;
}
