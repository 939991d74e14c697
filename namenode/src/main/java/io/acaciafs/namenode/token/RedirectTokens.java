package io.acaciafs.namenode.token;

import io.acaciafs.namespace.token.TokenIdentifiers;
import java.io.IOException;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;
import org.jspecify.annotations.Nullable;

/**
 * The tokens by which DataNodes act for users of WebHDFS who have shown a ticket and no token. HDFS
 * makes one for each redirect, and each stays for a day. Here the redirects of a user share one for
 * a tenth of the time that it is valid without being renewed, so a user has about ten at a time,
 * however many files it opens, and each is valid for nine tenths of that time at least when a
 * DataNode gets it. It needs it for as long as a client reads or writes: a DataNode proves itself
 * anew with each connection to the NameNode, for each block and each renewal of the lease, and
 * renews no token. Safe for use by many threads.
 */
public final class RedirectTokens {
  private static final int PARTS_OF_LIFE = 10;

  /** Users of whom a token is kept; the one that came longest ago is forgotten for another. */
  private static final int MOST_USERS = 10_000;

  private final long sharedMs;
  private final InstantSource clock;
  private final TokenVerifier verifier;
  private final Map<Owner, Shared> tokens = new LinkedHashMap<>(16, 0.75f, true);

  /** For whom a token is: the user, the one that works for it, and how the client came. */
  private record Owner(String user, @Nullable String real, String scheme) {}

  /** The token of one owner; guarded by itself. */
  private static final class Shared {
    private @Nullable Token<DelegationTokenIdentifier> token;
    private long madeMs;
  }

  /** Makes a token. */
  @FunctionalInterface
  public interface Issuer {
    /** Null where no tokens are issued. */
    @Nullable Token<DelegationTokenIdentifier> issue() throws IOException;
  }

  /**
   * @param clock that says how long tokens are valid
   * @param verifier tells whether a token still is
   */
  public RedirectTokens(TokenSettings settings, InstantSource clock, TokenVerifier verifier) {
    this.sharedMs = settings.renewMs() / PARTS_OF_LIFE;
    this.clock = clock;
    this.verifier = verifier;
  }

  /**
   * The token of a user. May wait for the store.
   *
   * @param scheme of the request
   * @param issuer makes another one
   * @return null where no tokens are issued
   */
  public @Nullable Token<DelegationTokenIdentifier> of(
      UserGroupInformation user, String scheme, Issuer issuer) throws IOException {
    UserGroupInformation real = user.getRealUser();
    Shared shared =
        shared(new Owner(user.getUserName(), real == null ? null : real.getUserName(), scheme));
    synchronized (shared) {
      long nowMs = clock.millis();
      Token<DelegationTokenIdentifier> token = shared.token;
      if (token == null || Math.abs(nowMs - shared.madeMs) > sharedMs || !isValid(token)) {
        token = issuer.issue();
        shared.token = token;
        shared.madeMs = nowMs;
      }
      return token;
    }
  }

  private synchronized Shared shared(Owner owner) {
    Shared shared = tokens.computeIfAbsent(owner, any -> new Shared());
    if (tokens.size() > MOST_USERS) {
      tokens.remove(tokens.keySet().iterator().next());
    }
    return shared;
  }

  /** Its owner may have cancelled it. */
  private boolean isValid(Token<DelegationTokenIdentifier> token) throws IOException {
    try {
      verifier.verify(TokenIdentifiers.read(token.getIdentifier()), token.getPassword());
      return true;
    } catch (InvalidToken e) {
      return false;
    }
  }
}
