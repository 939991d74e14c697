package io.acaciafs.rpc.sasl;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.security.sasl.Sasl;
import javax.security.sasl.SaslException;
import javax.security.sasl.SaslServer;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslAuth;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslState;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.SaslMechanismFactory;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.thirdparty.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;

/**
 * The exchange by which one client proves who it is. A client asks for what the server offers, or
 * begins with what it knows to be offered; then the mechanism's messages go back and forth until it
 * is content. One message at a time.
 *
 * <p>Stricter than Hadoop in what no client does: a mechanism is begun once, and answered only
 * after it was begun. Source: {@code Server.Connection.processSaslMessage}.
 */
public final class SaslNegotiation {
  private enum State {
    /** The client has chosen nothing yet. */
    OPEN,
    /** The mechanism waits for the client's next message. */
    UNDER_WAY,
    /** The client will just name its user, as it may. */
    SIMPLE,
    /** The client is known. */
    ESTABLISHED
  }

  private final Authentication authentication;
  private final Mechanisms mechanisms;
  private final AuthenticationLog log;
  private final @Nullable TokenCallbacks tokens;
  private State state = State.OPEN;
  private boolean hasOffered;
  private @Nullable AuthMethod method;
  private @Nullable SaslServer server;
  private @Nullable UserGroupInformation user;
  private @Nullable String quality;

  /**
   * @param client address and port, for the log
   */
  SaslNegotiation(Authentication authentication, Mechanisms mechanisms, String client) {
    this.authentication = authentication;
    this.mechanisms = mechanisms;
    this.log = new AuthenticationLog(client);
    this.tokens = authentication.newTokenCallbacks();
  }

  /** Whether the client is known. */
  public boolean isEstablished() {
    return state == State.ESTABLISHED;
  }

  /** Whether the client may go on by naming its user. */
  public boolean isSimple() {
    return state == State.SIMPLE;
  }

  /** Who the client is, once it is known. */
  public UserGroupInformation user() {
    return Objects.requireNonNull(user, "the client is known");
  }

  /** What the client and the server agreed on: auth, auth-int or auth-conf, or null for none. */
  public @Nullable String quality() {
    return quality;
  }

  /** Whether tokens are shown by DIGEST-MD5 or its like, as they are unless a site changes it. */
  static boolean areTokensDigests() {
    return SaslMechanismFactory.isDigestMechanism(AuthMethod.TOKEN.getMechanismName());
  }

  /**
   * Looks up what {@link #answer} needs to know of this message. No thread waits for it: a client
   * that has proved nothing may ask for any token.
   *
   * @param here goes on when something has come that was missing, and must not wait
   * @return completes, perhaps with a failure, when the message can be answered
   */
  public CompletableFuture<?> prepare(RpcSaslProto message, Executor here) {
    return presentsDigest(message)
        ? Objects.requireNonNull(tokens, "a token was offered")
            .find(message.getToken().toStringUtf8(), here)
        : CompletableFuture.completedFuture(null);
  }

  /**
   * Whether {@link #answer} may wait with this message, which was {@linkplain #prepare prepared}:
   * for a file that Kerberos reads, for a KDC where the server has to log in anew, or for what the
   * site's own mechanism waits for.
   */
  public boolean mayWait(RpcSaslProto message) {
    if (authentication.login().isLost()) {
      return true;
    }
    return message.getState() == SaslState.NEGOTIATE
        ? !authentication.isOfferMade()
        : !presentsDigest(message);
  }

  private boolean presentsDigest(RpcSaslProto message) {
    if (tokens == null || server == null || !areTokensDigests()) {
      return false; // it has not challenged the client
    }
    return switch (message.getState()) {
      case INITIATE ->
          state == State.OPEN
              && message.getAuthsCount() == 1
              && message.getAuths(0).getMethod().equals(AuthMethod.TOKEN.name());
      case RESPONSE -> state == State.UNDER_WAY && method == AuthMethod.TOKEN;
      default -> false;
    };
  }

  /**
   * Answers a message that was {@linkplain #prepare prepared}.
   *
   * @return null: there is nothing to say
   * @throws IOException what the client is to be told; it cannot go on
   */
  public @Nullable RpcSaslProto answer(RpcSaslProto message) throws IOException {
    try {
      return processed(message);
    } catch (IOException | RuntimeException e) {
      IOException cause = cause(e);
      log.failed(tokens == null ? null : tokens.attempting(), e, cause);
      dispose();
      if (!authentication.login().isLost()) {
        throw cause;
      }
      return answerAnew(message, cause);
    }
  }

  /** The server's own login failed, and may be the reason. */
  private @Nullable RpcSaslProto answerAnew(RpcSaslProto message, IOException cause)
      throws IOException {
    authentication.login().renew();
    try {
      return processed(message);
    } catch (IOException | RuntimeException e) {
      cause.addSuppressed(e);
      throw cause;
    }
  }

  private @Nullable RpcSaslProto processed(RpcSaslProto message) throws IOException {
    RpcSaslProto reply = process(message);
    SaslServer complete = server;
    if (state == State.UNDER_WAY && complete != null && complete.isComplete()) {
      user = authorizedUser(complete.getAuthorizationID());
      quality = (String) complete.getNegotiatedProperty(Sasl.QOP);
      state = State.ESTABLISHED;
      authentication.login().serves();
      log.succeeded(user);
    }
    return reply;
  }

  private @Nullable RpcSaslProto process(RpcSaslProto message) throws IOException {
    SaslState asked = message.getState();
    if (asked == SaslState.NEGOTIATE && state == State.OPEN) {
      if (hasOffered) {
        throw new AccessControlException("Client already attempted negotiation");
      }
      return offer();
    }
    if (asked == SaslState.INITIATE && state == State.OPEN) {
      return initiate(message);
    }
    if (asked == SaslState.RESPONSE && state == State.UNDER_WAY) {
      return evaluate(message);
    }
    throw new SaslException("Client sent unsupported state " + asked);
  }

  /** With the first challenge for a token, which saves a round trip. */
  private RpcSaslProto offer() throws IOException {
    RpcSaslProto offer = authentication.offer();
    if (tokens != null && areTokensDigests()) {
      SaslServer begun = begin(AuthMethod.TOKEN);
      RpcSaslProto.Builder challenging = RpcSaslProto.newBuilder(offer);
      challenging
          .getAuthsBuilder(0)
          .setChallenge(UnsafeByteOperations.unsafeWrap(begun.evaluateResponse(new byte[0])));
      offer = challenging.build();
    }
    hasOffered = true;
    return offer;
  }

  private @Nullable RpcSaslProto initiate(RpcSaslProto message) throws IOException {
    if (message.getAuthsCount() != 1) {
      throw new SaslException("Client mechanism is malformed");
    }
    SaslAuth chosen = message.getAuths(0);
    if (!authentication.offer().getAuthsList().contains(chosen)) {
      if (hasOffered) {
        throw new AccessControlException(
            chosen.getMethod() + " authentication is not enabled." + authentication.available());
      }
      return offer();
    }
    AuthMethod wanted = AuthMethod.valueOf(chosen.getMethod());
    if (wanted == AuthMethod.SIMPLE) {
      dispose();
      state = State.SIMPLE;
      return null;
    }
    if (server == null || wanted != AuthMethod.TOKEN) { // else it has challenged the client
      begin(wanted);
    }
    RpcSaslProto reply = evaluate(message);
    method = wanted;
    state = State.UNDER_WAY;
    return reply;
  }

  private SaslServer begin(AuthMethod wanted) throws IOException {
    dispose();
    SaslServer begun = mechanisms.create(wanted, wanted == AuthMethod.TOKEN ? tokens : null);
    server = begun;
    return begun;
  }

  private RpcSaslProto evaluate(RpcSaslProto message) throws IOException {
    if (!message.hasToken()) {
      throw new SaslException("Client did not send a token");
    }
    SaslServer begun = Objects.requireNonNull(server, "a mechanism is begun");
    byte[] answer = begun.evaluateResponse(message.getToken().toByteArray());
    RpcSaslProto.Builder reply =
        RpcSaslProto.newBuilder()
            .setState(begun.isComplete() ? SaslState.SUCCESS : SaslState.CHALLENGE);
    if (answer != null) {
      reply.setToken(UnsafeByteOperations.unsafeWrap(answer));
    }
    return reply.build();
  }

  private UserGroupInformation authorizedUser(String id) throws IOException {
    UserGroupInformation authorized;
    if (method == AuthMethod.TOKEN) {
      TokenIdentifier identifier =
          Objects.requireNonNull(tokens, "a token was offered").identifier(id);
      authorized = identifier.getUser();
      if (authorized == null) {
        throw new AccessControlException("Can't retrieve username from tokenIdentifier.");
      }
      authorized.addTokenIdentifier(identifier);
      authorized.setAuthenticationMethod(AuthMethod.TOKEN);
      return authorized;
    }
    try {
      return UserGroupInformation.createRemoteUser(id, method);
    } catch (IllegalArgumentException e) { // no rule of hadoop.security.auth_to_local
      throw new AccessControlException(e);
    }
  }

  /** What the client is to know of a failure. Source: {@code Server.Connection.getTrueCause}. */
  private static IOException cause(Exception failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof RetriableException known) {
        return known;
      }
      if (cause instanceof StandbyException known) {
        return known;
      }
      if (cause instanceof InvalidToken known) {
        return known.getCause() instanceof IOException reason ? reason : known;
      }
    }
    return failure instanceof IOException known
        ? known
        : new SaslException("Authentication failed", failure); // bytes that make no sense
  }

  // ---- After the client is known ----

  /**
   * What protects all that follows, if the client and the server agreed on that.
   *
   * @return null: nothing does; the mechanism has ended
   */
  public @Nullable SaslServer protection() {
    SaslServer complete = Objects.requireNonNull(server, "the client is known");
    if (quality == null || "auth".equals(quality)) {
      dispose();
      return null;
    }
    return complete;
  }

  /** Ends the mechanism. Not while a message is answered. */
  public void dispose() {
    SaslServer ending = server;
    server = null;
    if (ending != null) {
      try {
        ending.dispose();
      } catch (SaslException e) {
        log.endedBadly(e);
      }
    }
  }
}
