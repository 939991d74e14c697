package io.acaciafs.rpc.sasl;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
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
 * token's identifier in Base64. For one thread at a time.
 *
 * <p>Source: {@code SaslRpcServer.SaslDigestCallbackHandler}.
 */
final class TokenCallbacks implements CallbackHandler {
  private final TokenPasswords tokens;
  private final CustomizedCallbackHandler others;
  private @Nullable UserGroupInformation attempting;

  /**
   * @param others answers what only the site's own mechanism asks for
   */
  TokenCallbacks(TokenPasswords tokens, CustomizedCallbackHandler others) {
    this.tokens = tokens;
    this.others = others;
  }

  /** Whose token was presented, whether it is valid or not; null: none. */
  @Nullable UserGroupInformation attempting() {
    return attempting;
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
    byte[] encoded = Base64.getEncoder().encode(tokens.password(identifier));
    return new String(encoded, StandardCharsets.US_ASCII).toCharArray();
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
