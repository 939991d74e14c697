package io.acaciafs.bench.sasl;

import org.jspecify.annotations.Nullable;

/**
 * The user that a client names, and how it proves to be it.
 *
 * @param user the one that its connections name; null: the one that the login proves
 * @param login null: nothing is proved, which is Hadoop's SIMPLE authentication
 */
public record Credentials(@Nullable String user, @Nullable SaslLogin login) {

  /** Of a client that just names its user. */
  public static Credentials named(String user) {
    return new Credentials(user, null);
  }

  /** Of a client that proves who it is, and works for nobody else. */
  public static Credentials proved(SaslLogin login) {
    return new Credentials(null, login);
  }
}
