package io.acaciafs.bench.sasl;

import java.io.IOException;
import javax.security.sasl.SaslClient;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslAuth;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;

/** The client's side of SASL, for any number of connections. Any thread. */
public interface SaslLogin {
  /** What the client chooses of a server's offer. */
  AuthMethod method();

  /**
   * Begins on one connection.
   *
   * @param offer what the server offers for the method
   * @throws IOException if the JDK does not have the mechanism
   */
  SaslClient begin(SaslAuth offer) throws IOException;

  /**
   * The client's next message.
   *
   * @param challenge of the server; empty at first, unless the offer has one
   * @return empty: an empty message
   * @throws IOException if the client cannot go on
   */
  byte[] answer(SaslClient client, byte[] challenge) throws IOException;
}
