package io.acaciafs.rpc.sasl;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.CallbackHandler;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.sasl.AuthorizeCallback;
import javax.security.sasl.RealmCallback;
import org.apache.hadoop.security.CustomizedCallbackHandler;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.jspecify.annotations.Nullable;

/**
 * Tells a mechanism the password of the token that one client presents: the client's name is the
 * token's identifier in Base64. Of a message of DIGEST-MD5 the token is looked up before the
 * mechanism sees it, so no thread waits for a store. For one thread at a time.
 *
 * <p>Source: {@code SaslRpcServer.SaslDigestCallbackHandler}.
 */
final class TokenCallbacks implements CallbackHandler {
  /** Base64, so nothing in it is escaped. Source: RFC 2831. */
  private static final Pattern NAME =
      Pattern.compile("username\\s*=\\s*\"([^\"]*)\"", Pattern.CASE_INSENSITIVE);

  private final TokenPasswords tokens;
  private final CustomizedCallbackHandler others;
  private final boolean mayWait;
  private @Nullable UserGroupInformation attempting;

  /** Looked up before the mechanism asks for it; null: no message has named a token. */
  private @Nullable Lookup lookup;

  /** What is the password of whom. */
  private record Lookup(String name, CompletableFuture<byte[]> password) {}

  /**
   * @param others answers what only the site's own mechanism asks for
   * @param mayWait whether a token is looked up when the mechanism asks for it, on a thread that
   *     waits: for the site's own mechanism, whose messages nobody else can read
   */
  TokenCallbacks(TokenPasswords tokens, CustomizedCallbackHandler others, boolean mayWait) {
    this.tokens = tokens;
    this.others = others;
    this.mayWait = mayWait;
  }

  /** Whose token was presented, whether it is valid or not; null: none. */
  @Nullable UserGroupInformation attempting() {
    return attempting;
  }

  /**
   * Looks up the token that a message of DIGEST-MD5 presents.
   *
   * @param here goes on when something has come that was missing, and must not wait
   * @return completes, perhaps with a failure, when the mechanism can answer without waiting
   */
  CompletableFuture<?> find(String message, Executor here) {
    lookup = null;
    Matcher presented = NAME.matcher(message);
    if (presented.find()) {
      String name = presented.group(1);
      try {
        lookup = new Lookup(name, tokens.password(identifier(name), here));
        return lookup.password;
      } catch (InvalidToken e) { // the mechanism comes upon it as well
        lookup = null;
      }
    }
    return CompletableFuture.completedFuture(null);
  }

  /**
   * @param name as the mechanism tells it
   */
  TokenIdentifier identifier(String name) throws InvalidToken {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(name);
    } catch (IllegalArgumentException e) {
      throw new InvalidToken("Can't de-serialize tokenIdentifier");
    }
    return tokens.identifier(bytes);
  }

  private char[] password(String name) throws IOException {
    TokenIdentifier identifier = identifier(name);
    attempting = identifier.getUser();
    byte[] encoded = Base64.getEncoder().encode(password(name, identifier));
    return new String(encoded, StandardCharsets.US_ASCII).toCharArray();
  }

  private byte[] password(String name, TokenIdentifier identifier) throws IOException {
    if (mayWait) {
      return TokenPasswords.await(tokens.password(identifier, Runnable::run));
    }
    Lookup known = lookup;
    if (known == null) { // and a network thread must not wait for it
      throw new InvalidToken("The message names its token as no client does");
    }
    if (!known.name.equals(name)) {
      throw new InvalidToken("The message names two tokens");
    }
    if (!known.password.isDone()) {
      throw new IllegalStateException("The token is still being looked up");
    }
    return TokenPasswords.await(known.password);
  }

  @Override
  public void handle(Callback[] callbacks) throws IOException, UnsupportedCallbackException {
    NameCallback name = null;
    PasswordCallback password = null;
    List<Callback> unknown = new ArrayList<>();
    for (Callback callback : callbacks) {
      if (callback instanceof NameCallback asked) {
        name = asked;
      } else if (callback instanceof PasswordCallback asked) {
        password = asked;
      } else if (callback instanceof AuthorizeCallback asked) {
        authorize(asked);
      } else if (!(callback instanceof RealmCallback)) { // there is but one realm
        unknown.add(callback);
      }
    }
    String presented = name == null ? null : name.getDefaultName();
    if (password != null && presented != null) {
      password.setPassword(password(presented));
    }
    if (!unknown.isEmpty()) {
      others.handleCallbacks(unknown, presented, presented == null ? null : password(presented));
    }
  }

  /** A client is who it has proved to be, and nobody else. */
  static void authorize(AuthorizeCallback callback) {
    boolean isSame = callback.getAuthenticationID().equals(callback.getAuthorizationID());
    callback.setAuthorized(isSame);
    if (isSame) {
      callback.setAuthorizedID(callback.getAuthorizationID());
    }
  }
}
