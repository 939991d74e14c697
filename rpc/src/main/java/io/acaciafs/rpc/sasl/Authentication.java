package io.acaciafs.rpc.sasl;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import javax.security.sasl.SaslServerFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslAuth;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslState;
import org.apache.hadoop.security.CustomizedCallbackHandler;
import org.apache.hadoop.security.FastSaslServerFactory;
import org.apache.hadoop.security.SaslPropertiesResolver;
import org.apache.hadoop.security.SaslRpcServer;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * How the clients of a server have to prove who they are. Safe for use by many threads.
 *
 * <p>Source: {@code Server.getAuthMethods}, {@code Server.buildNegotiateResponse}.
 */
public final class Authentication {
  private final Configuration conf;
  private final List<AuthMethod> methods;
  private final SaslPropertiesResolver protection;
  private final ServerLogin login;
  private final @Nullable TokenPasswords tokens;
  private final CustomizedCallbackHandler ownCallbacks;

  /** Null before the first client negotiates; see {@link #offered}. */
  private volatile @Nullable Offered offered;

  /**
   * What clients may choose from.
   *
   * @param answer to a client that asks
   * @param factory of the mechanisms
   */
  private record Offered(RpcSaslProto answer, SaslServerFactory factory) {}

  private Authentication(
      Configuration conf,
      UserGroupInformation login,
      List<AuthMethod> methods,
      @Nullable TokenPasswords tokens) {
    this.conf = conf;
    this.methods = methods;
    this.login = new ServerLogin(login);
    this.tokens = tokens;
    protection = SaslPropertiesResolver.getInstance(conf);
    ownCallbacks =
        CustomizedCallbackHandler.get(
            CommonConfigurationKeysPublic.HADOOP_SECURITY_SASL_CUSTOMIZEDCALLBACKHANDLER_CLASS_KEY,
            conf);
  }

  /**
   * What the configuration asks for: {@code hadoop.security.authentication} with the protection of
   * {@code hadoop.rpc.protection} or of {@code hadoop.security.saslproperties.resolver.class}.
   *
   * @param login the server's own, which for Kerberos has a principal with a host
   * @param tokens null: clients have no tokens
   * @return null if every client is believed who it says it is
   * @throws IOException if the server has no such principal
   */
  public static @Nullable Authentication of(
      Configuration conf, UserGroupInformation login, @Nullable TokenPasswords tokens)
      throws IOException {
    AuthMethod configured = SecurityUtil.getAuthenticationMethod(conf).getAuthMethod();
    if (tokens == null && configured == AuthMethod.SIMPLE) {
      return null;
    }
    if (configured != AuthMethod.SIMPLE && configured != AuthMethod.KERBEROS) {
      throw new IOException("Clients cannot authenticate by " + configured + " alone");
    }
    List<AuthMethod> methods = new ArrayList<>();
    if (tokens != null) {
      methods.add(AuthMethod.TOKEN); // first, as clients prefer it
    }
    methods.add(configured);
    Authentication made = new Authentication(conf, login, List.copyOf(methods), tokens);
    if (configured != AuthMethod.SIMPLE) {
      made.offered(); // a server that cannot offer it does not start
    }
    return made;
  }

  /**
   * Made when the first client wants it, as it takes long beside the start of a server whose
   * clients need not prove anything.
   */
  private Offered offered() throws IOException {
    Offered made = offered;
    return made == null ? makeOffered() : made;
  }

  private synchronized Offered makeOffered() throws IOException {
    Offered made = offered;
    if (made == null) {
      SaslRpcServer.init(conf); // mechanisms that the JDK lacks
      RpcSaslProto.Builder answer = RpcSaslProto.newBuilder().setState(SaslState.NEGOTIATE);
      for (AuthMethod method : methods) {
        answer.addAuths(auth(method));
      }
      made = new Offered(answer.build(), new FastSaslServerFactory(null));
      offered = made;
    }
    return made;
  }

  private SaslAuth auth(AuthMethod method) throws IOException {
    SaslRpcServer names;
    try {
      names =
          login
              .user()
              .doAs((PrivilegedExceptionAction<SaslRpcServer>) () -> new SaslRpcServer(method));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while the server started");
    }
    SaslAuth.Builder auth =
        SaslAuth.newBuilder().setMethod(method.toString()).setMechanism(names.mechanism);
    if (names.protocol != null) {
      auth.setProtocol(names.protocol).setServerId(names.serverId);
    }
    if (method == AuthMethod.KERBEROS && names.serverId.isEmpty()) {
      throw new IOException(
          "Kerberos principal name does NOT have the expected hostname part: "
              + login.user().getUserName());
    }
    return auth.build();
  }

  /** Whether a client may just name its user. */
  public boolean allowsSimple() {
    return methods.contains(AuthMethod.SIMPLE);
  }

  /** For the refusal of a client that does not know better. */
  public String available() {
    return "  Available:" + methods;
  }

  /**
   * Writes down that a connection ended as its client did what it may not; not where clients may
   * just name themselves.
   *
   * @param user null: the client has not proved who it is
   */
  public void refused(
      @Nullable InetSocketAddress client, @Nullable UserGroupInformation user, String reason) {
    if (!allowsSimple()) {
      new AuthenticationLog(text(client)).refused(user, reason);
    }
  }

  private static String text(@Nullable InetSocketAddress client) {
    return client == null
        ? "unknown"
        : client.getAddress().getHostAddress() + ":" + client.getPort();
  }

  /** Whether {@link #offer} is at hand. */
  boolean isOfferMade() {
    return offered != null;
  }

  /** The answer to a client that asks. Takes long for the first one. */
  RpcSaslProto offer() throws IOException {
    return offered().answer();
  }

  ServerLogin login() {
    return login;
  }

  /** Answers the callbacks of one client; null where there are no tokens. */
  @Nullable TokenCallbacks newTokenCallbacks() {
    return tokens == null
        ? null
        : new TokenCallbacks(tokens, ownCallbacks, !SaslNegotiation.areTokensDigests());
  }

  /**
   * Begins with one client.
   *
   * @param port where it came in
   */
  public SaslNegotiation begin(InetSocketAddress client, int port) {
    InetAddress address = client.getAddress();
    return new SaslNegotiation(
        this,
        (method, callbacks) ->
            new ServerMechanisms(
                    offered().factory(),
                    protection.getServerProperties(address, port),
                    login.user())
                .create(method, callbacks),
        text(client));
  }
}
